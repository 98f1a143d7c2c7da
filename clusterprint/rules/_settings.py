"""Checks of settings that exclude, need or bound each other, which types of parts declare."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from msgspec import UNSET

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import ExactlyOne, Excludes, Forbids, Needs, Setting, Since, Within
from clusterprint.rules._facts import Filled, Look, holds
from clusterprint.rules.context import Context
from clusterprint.rules.relation_docs import words
from clusterprint.rules.rule import Finding


def exactly_one(relation: ExactlyOne, part: Part, context: Context) -> Iterator[Finding]:
    """The findings of a part with none or several of some fields."""
    looks = [Look(relation.code, part, context, each) for each in relation.fields]
    first, *others = [each.key for each in looks if each.holds(Setting(each.key))] or [""]
    if first and not others:
        return
    said = words(relation.code, "exactly_one")
    noun = said["noun"].format(part=part)
    for field in others:
        yield Finding(
            f"{noun} has both {first} and {field}",
            context.at_key(part, field),
            (context.at_key(part, first, text="the other one"),),
            f"remove {first} or {field}",
        )
    if not first:
        wrote = [each for each in relation.fields if context.wrote(part, each)]
        is_root = part is context.blueprint and not wrote
        place = context.at(part, "kind") if is_root else context.at_key(part, *wrote[:1])
        yield Finding(f"{noun} has {_none_of(relation.fields)}", place, help=said["help"])


def _none_of(names: Sequence[str]) -> str:
    *others, last = names
    return f"neither {' nor '.join(names)}" if len(names) == 2 else f"none of {', '.join(others)} and {last}"  # noqa: PLR2004 - a pair


def apart(relation: Excludes, part: Part, context: Context) -> Iterator[Finding]:
    """The finding of a part whose settings exclude each other."""
    if _apply(relation, part, context) and holds(relation.other, relation.code, part, context):
        yield _said(relation, part, context, relation.field.path, relation.other.path)


def together(relation: Needs, part: Part, context: Context) -> Iterator[Finding]:
    """The finding of a part with a setting that needs another one."""
    if _apply(relation, part, context) and not holds(relation.other, relation.code, part, context):
        yield _said(relation, part, context, relation.field.path, relation.other.path)


def refused(relation: Forbids, part: Part, context: Context) -> Iterator[Finding]:
    """The finding of a part with a setting that is wrong by itself."""
    if _apply(relation, part, context):
        yield _said(relation, part, context, relation.field.path)


def within(relation: Within, part: Part, context: Context) -> Iterator[Finding]:
    """The findings of a part whose number is outside of its bounds."""
    if not all(holds(each, relation.code, part, context) for each in relation.given):
        return
    number = Look(relation.code, part, context, relation.field).value
    for path, sign in ((relation.least, -1), (relation.most, 1)):
        bound: Any = Look(relation.code, part, context, path).value if path else UNSET
        if UNSET not in (number, bound) and sign * number > sign * bound:
            yield _said(relation, part, context, relation.field, path)


def _apply(relation: Excludes | Needs | Forbids | Since, part: Part, context: Context) -> bool:
    return all(holds(each, relation.code, part, context) for each in (relation.field, *relation.given))


def _said(
    relation: Excludes | Needs | Forbids | Within, part: Part, context: Context, field: str, other: str = ""
) -> Finding:
    """A finding at a field, with a note at the other one."""
    here, there = (Look(relation.code, part, context, each) for each in (field, other))
    theirs = there.value if other else UNSET
    wrote = bool(other) and there.is_written
    actual = theirs if wrote else f"{theirs} (the default)"
    said = words(relation.code, relation.words)
    fill = Filled(
        relation.code,
        part,
        context,
        {
            "field": here.key,
            "path": field,
            "value": here.value,
            "other_field": there.key,
            "other": actual,
            "not_other": "" if theirs is UNSET else f", not {actual}",
        },
    ).fill
    note = said.get("note", "")
    instead = getattr(relation, "instead", None) if here.is_written else None
    return Finding(
        fill(said["message"]),
        here.place(),
        (there.place(fill(note)),) if note and wrote else (),
        fill(said["help"]),
        instead or None,
        context.place(here.owner, here.key) if instead == "" else None,
    )


def since(relation: Since, part: Part, context: Context) -> Iterator[Finding]:
    """The finding of a part with a setting that needs a newer version of GKE."""
    if not _apply(relation, part, context):
        return
    versions = import_module(f"{__package__}.gke._versions")
    here = Look(relation.code, part, context, relation.field.path)
    feature = Look(relation.code, part, context, relation.feature).value if "@" in relation.feature else None
    if lacking := versions.lacking(feature or relation.feature, context):
        said = words(relation.code, relation.words)
        given = {"version": lacking.version, "what": relation.what, "field": here.key, "value": here.value}
        given |= {"advice": lacking.advice, "first": lacking.first}
        fill = Filled(relation.code, part, context, given).fill
        also = (here.place(fill(said["note"])),) if here.is_written else ()
        yield Finding(fill(said["message"]), lacking.place, also, fill(said.get("help", "{advice}")))
