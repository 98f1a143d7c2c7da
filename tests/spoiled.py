"""Spoiled blueprints: anything in any field, and mutants of our own."""

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from support import cases

from clusterprint.describe import yaml_block
from clusterprint.load import load
from clusterprint.load.limits import MAX_BYTES
from clusterprint.validate.schemas import schema_of
from clusterprint.validate.variants import properties

#: What hardly any field expects.
VALUES: tuple[Any, ...] = ([], {}, None, True, 1e308, -1, "")
#: As long as a word can be, with some room for the rest of a blueprint: all commands take seconds for it.
LONG_WORD = "x" * (MAX_BYTES - 64 * 1024)

Place = tuple[str | int, ...]


class Mutant(NamedTuple):
    """A spoiled blueprint: what was done to it, the blueprint that it was, and its text."""

    about: str
    host: Path
    text: str


# ---- mutants


def places(kind: str) -> list[tuple[Path, Place]]:
    """Every branch and leaf of a kind, each in the first blueprint of ours that has it, or what it is in."""
    found: dict[tuple[str, ...], tuple[Path, Place]] = {(): (_hosts(kind)[0], ())}
    for host in _hosts(kind):
        for place in _below(_data(host)):
            found.setdefault(tuple(each if isinstance(each, str) else "[]" for each in place), (host, place))
    for path in filter(None, _paths(schema_of(kind))):
        host, around = found[path[:-1]]
        found.setdefault(path, (host, (*around, 0 if path[-1] == "[]" else path[-1])))
    return [place for path, place in found.items() if path]


def spoiled(host: Path, place: Place, value: Any) -> Mutant:
    """A blueprint with another value at a place; what it lacks on the way there is made."""
    about = f"{'.'.join(map(str, place))} = {repr(value)[:20]} in {host.name}"
    return Mutant(about, host, yaml_block(_put(_data(host), place, value)))


def every_value(kind: str, start: int = 0, step: int = 1) -> Iterator[Mutant]:
    """Each value in each place of a kind; with a step, one of so many, and no other is made."""
    every = ((place, value) for place in places(kind) for value in VALUES)
    return (spoiled(*place, value) for place, value in islice(every, start, None, step))


def one_value_each(kind: str, start: int = 0, step: int = 1) -> Iterator[Mutant]:
    """A value in each place of a kind, each value in its turn; with a step, as above."""
    every = zip(places(kind), cycle(VALUES), strict=False)
    return (spoiled(*place, value) for place, value in islice(every, start, None, step))


def mutants(seed: int) -> Iterator[Mutant]:
    """Mutants without end: three in five have other data, the rest other characters or lines."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret is made of it
    hosts = cases()
    while True:
        host = chance.choice(hosts)
        if chance.random() < 0.6:
            data = _data(host)
            for _ in range(chance.choice((1, 1, 2, 4))):
                place = chance.choice([each for each in _below(data) if each])
                data = _put(data, place, _another(chance, data, place))
            yield Mutant("data", host, chance.choice((yaml_block, json.dumps))(data))
        else:
            text = host.read_text("utf-8")
            for edit in chance.choices(_EDITS, k=chance.choice((1, 1, 3, 10))):
                text = edit(chance, text)
            yield Mutant("text", host, text)


def _another(chance: random.Random, data: Any, place: Place) -> Any:
    """A value that is nothing, a little wrong, or right somewhere else."""
    old = _at(data, place)
    sort = chance.randrange(5)
    if sort == 0:
        return chance.choice((*VALUES, "x" * 10_000))
    if sort == 1 and isinstance(old, str):
        cut = chance.randrange(len(old) + 1)
        return old[:cut] + chance.choice(("", "x", "é", "-", "0", "${a}", "\u202e", "\n")) + old[cut + 1 :]
    if sort == 1 and isinstance(old, int):
        return chance.choice((old + 1, old * 1000, -old, float(old), str(old), 2**63 - 1))
    if sort == 2 and isinstance(old, list):
        return chance.choice((old * 2, old[::-1], old[:-1], [*old, old], {"0": old}))
    if sort == 2 and isinstance(old, dict):
        return chance.choice(({**old, "x": old}, dict(list(old.items())[1:]), [old], list(old)))
    return _at(data, chance.choice([*_below(data)]))


def _cut(chance: random.Random, text: str) -> str:
    start = chance.randrange(len(text) + 1)
    return text[:start] + text[start + chance.randrange(40) :]


def _insert(chance: random.Random, text: str) -> str:
    start = chance.randrange(len(text) + 1)
    signs = (
        *"{}[],:-#&*!|>'\"%@` \t\n\r\0",
        "\ufeff",
        "\u2028",
        "é",
        "\U0001f642",
        "<<: *a\n",
        "---\n",
        "...\n",
    )
    sign: str = chance.choice(signs)
    return text[:start] + sign * chance.choice((1, 1, 1, 60)) + text[start:]


def _move(chance: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    line: str = chance.choice(lines)
    if chance.random() < 0.5:
        lines.remove(line)
    lines.insert(chance.randrange(len(lines) + 1), " " * chance.choice((0, 1, 2)) + line)
    return "".join(lines)


_EDITS = (_cut, _insert, _move)


# ---- data


@cache
def _data(file: Path) -> Any:
    document = load(file, file.name).document
    assert document
    return document.data


@cache
def _hosts(kind: str) -> list[Path]:
    return [case for case in cases() if _data(case)["kind"] == kind]


def _below(data: Any, place: Place = ()) -> Iterator[Place]:
    yield place
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    yield from chain.from_iterable(_below(value, (*place, key)) for key, value in inner)


def _at(data: Any, place: Place) -> Any:
    return _at(data[place[0]], place[1:]) if place else data


def _put(data: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    step, *below = place
    if isinstance(step, int):
        items = data if isinstance(data, list) else []
        new = _put(items[step] if step < len(items) else None, tuple(below), value)
        return [*items[:step], new, *items[step + 1 :]]
    map_ = data if isinstance(data, dict) else {}
    return {**map_, step: _put(map_.get(step), tuple(below), value)}


def _paths(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for key, each in properties(schema).items():
        yield from _paths(each, (*path, key))
    if "items" in schema:
        yield from _paths(schema["items"], (*path, "[]"))
