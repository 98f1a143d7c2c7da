"""Keys that only some parts of a type have: `Only` of `blueprint/relations.py`."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Case, Only, in_yaml, relations_of
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding
from clusterprint.words import listed


def misplaced(part: Part, context: Context, **changed: Any) -> Iterator[str]:
    """The written fields that a part would not have with some values changed."""
    for relation in relations_of(type(part)):
        if isinstance(relation, Only) and all(_against(case, part, changed) for case in relation.cases):
            yield from (each for each in relation.fields if context.wrote(part, each))


def _against(case: Case, part: Part, changed: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys by which a part is not in a case."""
    given = {key: changed.get(key, getattr(part, key)) for key, _ in case}
    return tuple(key for key, values in case if given[key] not in (values or (UNSET,)))


def only_there(relation: Only, part: Part, context: Context) -> Iterator[Finding]:
    """The written fields that a part of its kind does not have."""
    written = [each for each in relation.fields if context.wrote(part, each)]
    against = [_against(case, part, {}) for case in relation.cases] if written else [()]
    least = min(map(len, against))
    if not least:
        return
    other = dict.fromkeys(key for keys in against if len(keys) == least for key in keys)
    name = f"{relation.what} {part.name}" if hasattr(part, "name") else f"this {relation.what}"
    has = listed([_said(part, key, context) for key in other], "and")
    ways = [
        f", or {_way(case, *keys)}"
        for case, keys in zip(relation.cases, against, strict=True)
        if len(keys) == 1
    ]
    for field in written:
        yield Finding(
            f"{field} is a key of {relation.owners}, but {name} has {has}",
            context.at_key(part, field),
            tuple(context.at(part, key, text=f"the {key}") for key in other if context.wrote(part, key)),
            help=f"remove {field}{''.join(ways)}",
        )


def _said(part: Part, key: str, context: Context) -> str:
    value = getattr(part, key)
    if not isinstance(value, str | bool):
        return f"no {key}" if value is UNSET else key
    return in_yaml(key, (value,)) + ("" if context.wrote(part, key) else " (the default)")


def _way(case: Case, key: str) -> str:
    """How a part that is not in a case because of one key gets there."""
    values = dict(case)[key]
    return f"write {in_yaml(key, values)}" if values else f"remove {key}"
