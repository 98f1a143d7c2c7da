"""Two sides become scenes: clusters are matched by name, and their stacks compared."""

from collections.abc import Iterator

from clusterprint.review.attribution import attribute
from clusterprint.review.causes import find_reasons
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta
from clusterprint.review.differences import ABSENT
from clusterprint.review.manifests import object_places
from clusterprint.review.model import Status
from clusterprint.review.order import natural
from clusterprint.review.provider_upgrades import in_terms_of, told
from clusterprint.review.side import Member, Side
from clusterprint.review.stack_file import Stack
from clusterprint.review.synthesized import compare


def scenes(base: Side, head: Side) -> list[ComparedCluster]:
    """A scene for each cluster of either side, by name."""
    return [
        _scene(before, after, _unreadable(before, after, base, head))._replace(
            successor=_successor(before, head) if before and not after else ""
        )
        for before, after in _pairs(base, head)
    ]


def standing(member: Member) -> ComparedCluster:
    """The scene of a cluster in which nothing happens."""
    return _scene(member, member, "")


def _successor(gone: Member, head: Side) -> str:
    """The cluster that the blueprint of another one asks for now."""
    return next((each.name for each in head.members if each.file == gone.file), "")


def _unreadable(before: Member | None, after: Member | None, base: Side, head: Side) -> str:
    """Why a cluster that seems to be gone, or new, may be neither: its file cannot be read on one side."""
    if before and not after and before.file in head.unreadable:
        return "the blueprint cannot be read, so nothing can be built of it and nothing compared"
    if after and not before and after.file in base.unreadable:
        return "the earlier version of the blueprint cannot be read, so there is nothing to compare with"
    return ""


def _pairs(base: Side, head: Side) -> Iterator[tuple[Member | None, Member | None]]:
    """Clusters of the same name belong together, wherever their files are; else files of the same name."""
    old = list(base.members)
    pairs: list[tuple[Member | None, Member | None]] = []
    for after in head.members:
        same = [each for each in old if each.name and each.name == after.name]
        same = [each for each in same if each.file == after.file] or same
        if not same and not after.name:
            same = [each for each in old if each.file == after.file]
        before = same[0] if same else None
        if before:
            old.remove(before)
        pairs.append((before, after))
    pairs += [(before, None) for before in old]
    yield from sorted(pairs, key=lambda pair: _order(pair[1] or pair[0]))


def _order(member: Member | None) -> tuple[tuple[tuple[str, int], ...], str]:
    return (natural(member.name), member.file) if member else ((), "")


def _scene(before: Member | None, after: Member | None, unreadable: str) -> ComparedCluster:
    member = after or before
    if member is None:
        raise ValueError("a scene without sides")
    broken = unreadable or _broken(before, after)
    old = {each.name: each for each in before.stacks} if before and not broken else {}
    new = {each.name: each for each in after.stacks} if after and not broken else {}
    reasons = find_reasons(before.validated.document, after.validated.document) if before and after else []
    deltas: list[Delta] = []
    orphans = [] if broken else sorted({*old} - {*new})
    for name in sorted({*old, *new}):
        # A stack that is synthesized no more is not applied, and so neither changed nor destroyed.
        was, now = old.get(name), old[name] if name in orphans else new.get(name)
        deltas += compare(in_terms_of(was, now), in_terms_of(now, was))
    outputs = tuple(_outputs(old, new))
    changes = any(each.action for each in deltas) or bool(outputs)
    rest = () if changes else tuple(_rest(old, new))
    status: Status = "unchanged"
    if unreadable:
        status = "changed"
    elif before is None or after is None:
        status = "added" if before is None else "orphaned"
    elif changes or orphans or rest or (broken and reasons):
        status = "changed"
    return ComparedCluster(
        name=member.name or member.file,
        kind=member.kind,
        status=status,
        before=before.validated.document if before else None,
        after=after.validated.document if after else None,
        stacks=tuple(sorted({*old, *new})),
        deltas=tuple(deltas),
        reasons=tuple(reasons),
        attribution=attribute(after, reasons) if after and reasons and changes else {},
        states=tuple(_states(old, new)),
        orphans=tuple((name, old[name].state) for name in orphans),
        broken=broken,
        outputs=outputs,
        rest=rest,
        upgrades=tuple(told(old, new)),
        manifests=object_places(after.validated.document) if after and changes and not broken else {},
    )


def _broken(before: Member | None, after: Member | None) -> str:
    if after and not after.stacks:
        return "the blueprint has errors, so nothing can be built of it and nothing compared"
    if before and not before.stacks:
        return "the earlier version of the blueprint has errors, so there is nothing to compare with"
    return ""


def _states(old: dict[str, Stack], new: dict[str, Stack]) -> Iterator[tuple[str, str, str]]:
    for name in sorted({*old} & {*new}):
        if old[name].state != new[name].state:
            yield name, old[name].state, new[name].state


def _rest(old: dict[str, Stack], new: dict[str, Stack]) -> Iterator[tuple[str, str]]:
    for stack in sorted({*old} & {*new}):
        was, now = old[stack].rest, new[stack].rest
        yield from ((stack, key) for key in sorted({*was, *now}) if was.get(key) != now.get(key))


def _outputs(old: dict[str, Stack], new: dict[str, Stack]) -> Iterator[tuple[str, str, object, object]]:
    for stack in sorted({*old} & {*new}):
        was, now = old[stack].outputs, new[stack].outputs
        for name in sorted({*was, *now}):
            before, after = (side[name].get("value") if name in side else ABSENT for side in (was, now))
            if before != after:
                yield stack, name, before, after
