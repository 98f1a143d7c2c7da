"""The changes of a cluster in people's words: grouped by idea, equal ones folded into one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import msgspec

from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.review import file_imports, ideas
from clusterprint.review.causes import Reason, cause, in_words, place_of
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta
from clusterprint.review.differences import ABSENT
from clusterprint.review.model import Action, Cause, Change, Counts, Group, Idea, Place, Status
from clusterprint.review.places import likeness, place, place_of_text
from clusterprint.review.values import value_changes

_IDEAS: tuple[Idea, ...] = get_args(Idea)

# What matters most comes first.
_ACTIONS: tuple[Action, ...] = (
    "replaced", "removed", "forgotten", "changed", "added", "imported", "moved",
)  # fmt: skip


def counts(deltas: Iterable[Delta]) -> Counts:
    """How many resources each thing happens to."""
    found = Counter(each.action for each in deltas if each.action)
    moved = sum(1 for each in deltas if each.previous_address and each.action != "moved")
    return Counts(**{**found, "moved": found["moved"] + moved})


def causes(scene: ComparedCluster) -> tuple[Cause, ...]:
    """The differences of the blueprint."""
    if scene.before is None or scene.after is None:
        return ()
    return tuple(cause(each, scene.before, scene.after) for each in scene.reasons)


def groups(scene: ComparedCluster) -> tuple[Group, ...]:
    """The changes, by idea and name, in the order of the ideas."""
    by_group: dict[tuple[Idea, str], list[Delta]] = defaultdict(list)
    for delta in scene.deltas:
        if delta.action:
            idea = ideas.idea(delta.resource)
            by_group[(idea, ideas.group_name(delta.resource))].append(delta)
    keys = sorted(by_group, key=lambda key: (_IDEAS.index(key[0]), key[1]))
    return tuple(
        Group(
            idea=idea,
            name=name,
            status=_status(by_group[(idea, name)]),
            changes=fold(by_group[(idea, name)], scene),
        )
        for idea, name in keys
    )


def _status(deltas: Sequence[Delta]) -> Status:
    """One word for several: if all agree theirs, else what matters most."""
    # Templates cannot change, so making a new one says nothing about the machines.
    words_of = [each.action for each in deltas if not each.resource.type.endswith("_template")]
    found = set(words_of or [each.action for each in deltas])
    if len(found) > 1:
        return "replaced" if "replaced" in found else "changed"
    words: dict[Action | None, Status] = {
        "added": "added", "imported": "added", "removed": "removed", "forgotten": "removed",
        "replaced": "replaced", "moved": "moved",
    }  # fmt: skip
    return words.get(found.pop(), "changed")


def fold(deltas: Sequence[Delta], scene: ComparedCluster) -> tuple[Change, ...]:
    """A change for each delta; those of one resource that are alike become one with several instances."""
    made: dict[tuple[object, ...], list[tuple[Change, Delta]]] = defaultdict(list)
    for delta in deltas:
        made_now = change(delta, scene)
        alike = (delta.action, delta.resource.stack, delta.resource.base, _pattern(made_now, delta))
        made[alike].append((made_now, delta))
    folded = [_fold(each) for each in made.values()]
    return tuple(sorted(folded, key=lambda each: (_ACTIONS.index(each.action), each.stack, each.address)))


def _pattern(made: Change, delta: Delta) -> object:
    """The properties that have to be equal for changes to be folded: all that do not follow from the key."""
    if delta.action in ("added", "removed"):
        return made.causes
    return made.values, made.causes, made.forced_by


def _fold(alike: list[tuple[Change, Delta]]) -> Change:
    first, delta = alike[0]
    if len(alike) == 1:
        return first
    instances = tuple(each.address for each, _ in alike)
    noun = ideas.word_of(delta.resource).noun
    same = {each.path: each for each in first.values}
    for other, _ in alike[1:]:
        there = {each.path: each for each in other.values}
        same = {path: each for path, each in same.items() if there.get(path) == each}
    values = tuple(same.values()) if delta.action in ("added", "removed") else first.values
    return Change(
        action=first.action,
        stack=first.stack,
        address=delta.resource.base,
        type=first.type,
        title=f"{len(alike)} x {noun}",
        instances=instances,
        values=values,
        forced_by=first.forced_by,
        create_first=first.create_first,
        reason=first.reason,
        place=first.place,
        causes=first.causes,
    )


def change(delta: Delta, scene: ComparedCluster) -> Change:
    """One delta in words."""
    if delta.action is None:
        raise ValueError("nothing happens to it")
    resource = delta.resource
    reasons = scene.attribution.get(f"{resource.stack}/{resource.address}", ())
    return Change(
        action=delta.action,
        stack=resource.stack,
        address=resource.address,
        type=resource.type,
        title=ideas.title(resource),
        instances=(resource.address,),
        previous_address=delta.previous_address,
        values=value_changes(delta),
        forced_by=delta.forced,
        create_first=delta.create_first and delta.action == "replaced",
        reason=delta.reason or file_imports.reason(delta),
        place=locate(delta, scene),
        causes=reasons,
    )


def top(scene: ComparedCluster) -> Place | None:
    """The line with the name of a cluster."""
    document = scene.after or scene.before
    if document is None:
        return None
    return msgspec.structs.replace(place_of(document, ("name",)), side="head" if scene.after else "base")


def locate(delta: Delta, scene: ComparedCluster, hint: str = "") -> Place | None:
    """The line behind a change: the difference that it is due to, else where the resource is asked for.

    Where several differences are behind it, or several keys ask for it, it is the one most like the `hint`.
    """
    resource = delta.resource
    reasons = scene.attribution.get(f"{resource.stack}/{resource.address}", ())
    if reasons and scene.before and scene.after:
        lines = [each for number in reasons for each in _lines_of(scene.reasons[number], scene.after, hint)]
        _, reason, keys = max(lines, key=lambda each: each[0])
        return place_of(scene.after, keys) if keys else cause(reason, scene.before, scene.after).place
    document: Document | None = scene.after or scene.before
    if document is None:
        return None
    for value in value_changes(delta) if delta.action != "added" else ():
        text = place_of_text(value.path, document) if value.diff else None
        if text:
            return text
    found = place(resource, document, hint)
    return found if scene.after else msgspec.structs.replace(found, side="base")


def _lines_of(reason: Reason, after: Document, hint: str) -> Iterator[tuple[int, Reason, Keys]]:
    """A difference, and what is written below it (then with its keys), each with its likeness to a hint."""
    yield likeness(reason.words, hint), reason, ()
    if not hint or reason.after is ABSENT:
        return
    at = reason.after_at
    for keys in after.written:
        if len(keys) > len(at) and keys[: len(at)] == at:
            yield likeness((in_words(after, keys),), hint), reason, keys
