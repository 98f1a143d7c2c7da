"""Source "synthesized diff": two versions of a stack, compared by the address of each resource.

What Terraform would plan if the state were exactly the earlier version. References are followed: what
refers to something that is replaced learns a new value, and is replaced too if it cannot take one.
"""

import re
from collections.abc import Iterable, Mapping

from clusterprint.review.delta import Delta, Resource
from clusterprint.review.differences import differences
from clusterprint.review.ignored import heeding_ignored, is_ignored
from clusterprint.review.model import Action, Forcing
from clusterprint.review.replacement import forcing, is_forced
from clusterprint.review.rolled import rolled
from clusterprint.review.stack_file import Stack

_COMPUTED = re.compile(r"^([a-z][a-z0-9_]*\.[A-Za-z0-9_-]+)(\[[^\]]*\])?(?:\.([A-Za-z0-9_]+))?")


def compare(before: Stack | None, after: Stack | None) -> list[Delta]:
    """The change of every resource of a stack, in the order of their addresses."""
    old = dict(before.resources) if before else {}
    new = after.resources if after else {}
    moved = _moved(old, new, after.moves if after else {})
    deltas = {}
    for address in sorted({*old, *new} - set(moved)):
        source = next((was for was, now in moved.items() if now == address), address)
        deltas[address] = _compare(old.get(source), new.get(address), "" if source == address else source)
    return rolled(_follow(deltas).values())


def _moved(
    old: Mapping[str, Resource], new: Mapping[str, Resource], moves: Mapping[str, str]
) -> dict[str, str]:
    """Addresses that Terraform moves: as it was told, and between a resource and its only instance."""
    found = {}
    for address in old:
        if address in new:
            continue
        told = next((target for was, target in moves.items() if _under(address, was)), None)
        if told is not None:
            was = next(was for was in moves if _under(address, was))
            candidates = [told + address[len(was) :]]
        else:
            candidates = [f"{address}[0]", address.removesuffix("[0]")]
        target = next((each for each in candidates if each in new and each not in old), None)
        if target:
            found[address] = target
    return found


def _under(address: str, moved: str) -> bool:
    return address == moved or address.startswith((f"{moved}[", f"{moved}."))


def _compare(before: Resource | None, after: Resource | None, previous: str) -> Delta:
    if before is None or after is None:
        return Delta("added" if before is None else "removed", before, after)
    after = heeding_ignored(before, after)
    found = list(differences(before.values, after.values))
    forced = forcing(after.type, found)
    action: Action | None = "replaced" if forced else "changed" if found else "moved" if previous else None
    first = bool(after.meta.get("lifecycle", {}).get("create_before_destroy"))
    return Delta(action, before, after, forced=forced, create_first=first, previous_address=previous)


def _follow(deltas: dict[str, Delta]) -> dict[str, Delta]:
    """Pass replacements on along references until nothing more follows."""
    while True:
        followed = {address: _followed(delta, deltas) for address, delta in deltas.items()}
        if followed == deltas:
            return deltas
        deltas = followed


def _followed(delta: Delta, deltas: Mapping[str, Delta]) -> Delta:
    after = delta.after
    if after is None or delta.action in ("added", "replaced"):
        return delta
    triggers = after.meta.get("lifecycle", {}).get("replace_triggered_by", [])
    for trigger in triggers:
        if any(_is_new(each, trigger) for each in _targets(trigger, deltas)):
            reason = Forcing(path="lifecycle.replace_triggered_by", source=f"{trigger} changes")
            return delta._replace(action="replaced", forced=(reason,))
    unknown = {path: _new_value(texts, deltas) for path, texts in after.refers.items()}
    unknown = {path: source for path, source in unknown.items() if source and not is_ignored(path, after)}
    forced = tuple(
        Forcing(path=path, source=f"{source} is only known once it is recreated")
        for path, source in sorted(unknown.items())
        if is_forced(after.type, path)
    )
    if forced:
        return delta._replace(action="replaced", forced=forced, unknown=frozenset(unknown))
    if unknown:
        return delta._replace(action="changed", unknown=frozenset(unknown))
    return delta


def _is_new(delta: Delta, trigger: str) -> bool:
    """Whether what a trigger names becomes another: a resource by any change, an attribute by its own."""
    match = _COMPUTED.match(trigger)
    attribute = match[3] if match else None
    if attribute is None or delta.action not in ("changed", "replaced"):
        return delta.action in ("changed", "replaced")
    if delta.before is None or delta.after is None or attribute in delta.unknown:
        return True
    if attribute not in delta.after.values:  # the provider's to tell
        return delta.action == "replaced"
    return bool(delta.before.values.get(attribute) != delta.after.values[attribute])


def _new_value(references: Iterable[str], deltas: Mapping[str, Delta]) -> str:
    """The first reference whose value is not known before the resource behind it is recreated."""
    for reference in references:
        match = _COMPUTED.match(reference)
        attribute = match[3] if match else None
        for each in _targets(reference, deltas):
            # A name that is written down and stays the same is known, whatever happens to its bearer.
            if each.action == "replaced" and each.after and attribute not in each.after.values:
                return reference
    return ""


def _targets(reference: str, deltas: Mapping[str, Delta]) -> list[Delta]:
    match = _COMPUTED.match(reference)
    if match is None:
        return []
    address = match[1] + (match[2] or "")
    exact = deltas.get(address)
    return [exact] if exact else [each for each in deltas.values() if each.resource.base == match[1]]
