"""Checks what types of parts declare about their fields (`blueprint/relations.py`).

Their words are data (`relation_docs.py`).
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from msgspec import UNSET
from msgspec.structs import fields

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    ExactlyOne,
    Excludes,
    Forbids,
    InRegion,
    Names,
    Needs,
    Only,
    Refuses,
    Relation,
    Setting,
    Since,
    Unique,
    Within,
    relations_of,
)
from clusterprint.diagnostic import Label
from clusterprint.rules import _settings
from clusterprint.rules._facts import Look, holds
from clusterprint.rules._known import known, values
from clusterprint.rules._only import only_there
from clusterprint.rules._repeated import again
from clusterprint.rules._values import CHECKS
from clusterprint.rules.context import Context, once
from clusterprint.rules.relation_docs import words
from clusterprint.rules.rule import Finding
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


def relations(subject: Any) -> Sequence[Relation]:
    """The relations of a subject of rules that something can be found about; none for what is no part."""
    return [each for each in relations_of(type(subject)) if each.code] if isinstance(subject, Part) else ()


def check(relation: Relation, part: Part, context: Context) -> Iterator[Finding]:
    """The findings of a part against one of its relations."""
    return _CHECKS[type(relation)](relation, part, context)


# ---- names


def _names(relation: Names, part: Part, context: Context) -> Iterator[Finding]:
    there = _names_known(context, relation.lists)
    if there is None:
        return
    for keys, name in _named(part, relation.field):
        if name not in there and name not in relation.always:
            meant = nearest(name, (*there, *relation.always))
            yield Finding(
                f"there is no {relation.what} {name}",
                context.at(part, *keys),
                help=did_you_mean(meant) or _others(relation, part, [*there]),
                instead=meant,
            )


def _others(relation: Names, part: Part, there: Sequence[str]) -> str:
    """The help if there is no guess."""
    if len(there) == 1:
        return f"the only {relation.what} is {there[0]}"
    if there:
        return f"the {relation.several} are {listed(there, 'and')}"
    optional = next(each for each in fields(part) if each.name == relation.field).default is UNSET
    return f"add it to {relation.lists[0]}{', or remove ' + relation.field if optional else ''}"


def _named(part: Part, field: str) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Each name in a field, with its keys below the part."""
    value = getattr(part, field)
    if isinstance(value, tuple):
        yield from (((field, index), each) for index, each in values(part, field))
    elif value is not UNSET:
        yield (field,), value


def _names_known(context: Context, lists: tuple[str, ...]) -> dict[str, None] | None:
    """The names of all items; None where they cannot be known, or where no such list can be written."""
    kept = _kept(context)
    if lists not in kept:
        found = [items for path in lists if (items := _items(path, context.blueprint)) is not None]
        names = [name for items in found for _, name in known(items, lambda each: each.name)]
        is_known = found and len(names) == sum(map(len, found))
        kept[lists] = dict.fromkeys(names) if is_known else None
    return kept[lists]


@once
def _kept(_: Context) -> dict[tuple[str, ...], dict[str, None] | None]:
    """The cached results of `_names_known` for a blueprint: many parts name items of few lists."""
    return {}


def _items(path: str, blueprint: Blueprint) -> Sequence[Any] | None:
    """The list at a path, or None where a part on the way was left out."""
    found: Any = blueprint
    for key in path.split("."):
        found = getattr(found, key, UNSET)
        if found is UNSET:
            return None
    items: Sequence[Any] = found
    return items


# ---- items that are listed once


def _unique(relation: Unique, part: Part, context: Context) -> Iterator[Finding]:
    if getattr(part, relation.field) is UNSET:
        return
    if not relation.key:
        for (index, value), (before, _) in again(values(part, relation.field), lambda item: item[1]):
            also = (context.at(part, relation.field, before, text="first listed here"),)
            place = context.at(part, relation.field, index)
            yield Finding(relation.message.format(item=value, part=part), place, also, relation.help)
        return
    for item, before in again(_listed(relation, part), lambda each: _key(each, relation)):
        said = relation.message.format(item=item, part=part)
        also = (context.at(before, relation.key[0], text="the first one"),)
        yield Finding(said, context.at(item, relation.key[0]), also, relation.help)


def _listed(relation: Unique, part: Part) -> Iterator[Any]:
    """The items that must differ."""
    first = relation.key[0]
    for item, (value, *others) in known(
        getattr(part, relation.field),
        lambda each: (getattr(each, first), *(getattr(each, key) for key, _ in relation.where)),
    ):
        cases = zip(relation.where, others, strict=True)
        if value is not UNSET and all(other in allowed for (_, allowed), other in cases):
            yield item


def _key(item: Part, relation: Unique) -> tuple[Any, ...]:
    return tuple(getattr(item, key) for key in relation.key)


# ---- places


def _in_region(relation: InRegion, part: Part, context: Context) -> Iterator[Finding]:
    places = import_module(f"{__package__}.google._places")  # its catalog is not needed by every kind
    blueprint: Any = context.blueprint
    for keys, zone in _named(part, relation.field):
        if wrong := places.elsewhere(zone, blueprint.region):
            said = words(relation.code, relation.words)
            also = (context.at(blueprint, "region", text=said["note"]),)
            help_text = wrong.help or said["help"].format(region=blueprint.region)
            yield Finding(wrong.message, context.at(part, *keys), also, help_text)


# ---- values


def _refuses(relation: Refuses, part: Part, context: Context) -> Iterator[Finding]:
    if not all(holds(each, relation.code, part, context) for each in relation.given):
        return
    arguments = [
        Look(relation.code, part, context, each.path).value if isinstance(each, Setting) else each
        for each in relation.arguments
    ]
    for path in relation.fields.split():
        look = Look(relation.code, part, context, path)
        owner, key = look.owner, look.key
        for keys, value in _each(owner, key):
            found = CHECKS[relation.check](value, *arguments)
            if found is None:
                continue
            said = words(relation.code, relation.words)
            filled = {"part": part, "blueprint": context.blueprint, "field": key, "value": value, **found}
            also: tuple[Label, ...] = ()
            if "note" in said:
                note = said["note"].format(**filled)
                also = (Look(relation.code, part, context, relation.given[0].path).place(note),)
            place = context.at_key if isinstance(getattr(owner, key), dict) else context.at
            yield Finding(
                said["message"].format(**filled),
                place(owner, *keys),
                also,
                found.get("help") or said["help"].format(**filled),
                found.get("instead"),
            )


def _each(owner: Any, key: str) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Each value of a field, with its keys below the part: an item of a list, a key of a map."""
    value = UNSET if owner is None else getattr(owner, key)
    if isinstance(value, tuple):
        yield from (((key, index), each) for index, each in values(owner, key))
    elif isinstance(value, dict):
        yield from (((key, each), each) for each in value)
    elif value is not UNSET and value is not BROKEN:
        yield (key,), value


_CHECKS: dict[type, Callable[..., Iterator[Finding]]] = {
    Names: _names,
    Unique: _unique,
    ExactlyOne: _settings.exactly_one,
    Excludes: _settings.apart,
    Needs: _settings.together,
    Refuses: _refuses,
    Forbids: _settings.refused,
    Within: _settings.within,
    InRegion: _in_region,
    Since: _settings.since,
    Only: only_there,
}
