"""Checks what types of parts declare about their fields (`blueprint/relations.py`)."""

from collections.abc import Callable, Iterator, Sequence
from inspect import getdoc
from typing import Any

from msgspec import UNSET
from msgspec.structs import fields

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Relation, Unique, relations_of
from clusterprint.diagnostic import Severity
from clusterprint.explanation import Explanation
from clusterprint.rules._known import known, values
from clusterprint.rules._repeated import again
from clusterprint.rules.context import Context, once
from clusterprint.rules.rule import Finding, Rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


class _Nothing:
    """The subject of a rule that no part is handed to: its relation is checked where it is declared."""


def declared(
    code: str, *, source: str, severity: Severity = Severity.ERROR, firm: bool = True
) -> Callable[[Callable[[], None]], Rule]:
    """Make a rule of a function that only documents it: parts declare its code with a relation."""

    def make(documented: Callable[[], None]) -> Rule:
        topic = Explanation(code, documented.__name__, severity, getdoc(documented) or "", source)
        return Rule(topic, _Nothing, Blueprint, documented, firm)  # type: ignore[arg-type] # never called

    return make


def relations(subject: Any) -> Sequence[Relation]:
    """The relations of a subject of rules that something can be found about; none for what is no part."""
    return [each for each in relations_of(type(subject)) if each.code] if isinstance(subject, Part) else ()


def check(relation: Relation, part: Part, context: Context) -> Iterator[Finding]:
    """What a part has against one of its relations."""
    if isinstance(relation, Names):
        return _names(relation, part, context)
    return _unique(relation, part, context)


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
    """What to do where no guess can be made."""
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
    """What `_names_known` has found for a blueprint: many parts name items of few lists."""
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
    for item, before in again(getattr(part, relation.field), lambda each: _key(each, relation)):
        said = relation.message.format(item=item, part=part)
        also = (context.at(before, relation.key[0], text="the first one"),)
        yield Finding(said, context.at(item, relation.key[0]), also, relation.help)


def _key(item: Part, relation: Unique) -> tuple[Any, ...]:
    return tuple(getattr(item, key) for key in relation.key)
