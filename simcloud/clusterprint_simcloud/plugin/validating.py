"""Checks of a provider before it plans: conflicts, combinations, values, patterns."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clusterprint_simcloud.arguments import Argument, Arguments
from clusterprint_simcloud.values import UNKNOWN, Path, Value, at, is_set


@dataclass(frozen=True)
class Problem:
    """One complaint, in the words of the providers' SDK."""

    summary: str
    detail: str = ""
    path: Path | None = None


def check(arguments: Arguments, config: Value) -> Iterator[Problem]:
    """Yield what the provider would say about a configuration."""
    exactly: set[tuple[str, ...]] = set()
    at_least: set[tuple[str, ...]] = set()
    for name, argument in arguments.items():
        yield from _check_values(name, argument, config)
        yield from _check_neighbours(name, argument, config)
        exactly.add(tuple(sorted(argument.exactly_one_of)))
        at_least.add(tuple(sorted(argument.at_least_one_of)))
    for group in sorted(exactly | at_least):
        yield from _check_some(group, config, only=group in exactly)


def _given(config: Value, name: str) -> list[tuple[Path, Value]]:
    return [(path, value) for path, value in at(config, name) if is_set(value)]


def _check_neighbours(name: str, argument: Argument, config: Value) -> Iterator[Problem]:
    given = [path for path, value in _given(config, name) if value is not UNKNOWN]
    if not given:
        return
    for other in argument.conflicts_with:
        if _given(config, other):
            yield Problem(
                "Conflicting configuration arguments", f'"{name}": conflicts with {other}', given[0]
            )
    missing = [other for other in argument.required_with if not _given(config, other)]
    if missing:
        wanted = ",".join([name, *argument.required_with])
        detail = f'"{name}": all of `{wanted}` must be specified'
        yield Problem("Missing required argument", detail, given[0])


def _check_some(group: tuple[str, ...], config: Value, *, only: bool) -> Iterator[Problem]:
    """That one of the group is given, and if `only`, no more than one."""
    parent = group[0].rpartition(".")[0] if group else ""
    if not group or (parent and not _given(config, parent)):
        return
    given = [name for name in group if _given(config, name)]
    wanted = ",".join(group)
    if not given:
        summary = "Invalid combination of arguments" if only else "Missing required argument"
        yield Problem(summary, f'"{group[0]}": one of `{wanted}` must be specified')
    elif only and len(given) > 1:
        named = ",".join(given)
        detail = f'"{given[0]}": only one of `{wanted}` can be specified, but `{named}` were specified.'
        yield Problem("Invalid combination of arguments", detail)


def _check_values(name: str, argument: Argument, config: Value) -> Iterator[Problem]:
    for path, value in at(config, name):
        if argument.max_items and isinstance(value, list) and len(value) > argument.max_items:
            limit = f"Attribute {name} supports {argument.max_items} item maximum"
            detail = f"{limit}, but config has {len(value)} declared."
            yield Problem("Too many list items", detail, path)
        for key in value if argument.keys and isinstance(value, dict) else ():
            yield from _check_pattern(f"{name} (key)", argument.keys, key, path)
        for one in _elements(value):
            if isinstance(one, str):
                yield from _check_text(name, argument, one, path)
            elif isinstance(one, int | float) and not isinstance(one, bool):
                yield from _check_number(name, argument, one, path)


def _elements(value: Value) -> Iterable[Value]:
    if isinstance(value, list):
        return value
    return value.values() if isinstance(value, dict) else (value,)


def _check_text(name: str, argument: Argument, value: str, path: Path) -> Iterator[Problem]:
    if argument.one_of and value not in argument.one_of:
        allowed = " ".join(f'"{one}"' for one in argument.one_of)
        yield Problem(f"expected {name} to be one of [{allowed}], got {value}", path=path)
    yield from _check_pattern(name, argument.matches, value, path)


def _check_pattern(name: str, pattern: str, value: str, path: Path) -> Iterator[Problem]:
    if pattern and not re.fullmatch(pattern, value):
        yield Problem(f'"{name}" ("{value}") doesn\'t match regexp "{pattern}"', path=path)


def _check_number(name: str, argument: Argument, value: float, path: Path) -> Iterator[Problem]:
    least = argument.least if argument.least is not None else value
    most = argument.most if argument.most is not None else value
    if not least <= value <= most:
        limits = f"at least ({least})" if argument.most is None else f"in the range ({least} - {most})"
        yield Problem(f"expected {name} to be {limits}, got {value}", path=path)
