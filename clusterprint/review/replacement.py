"""Changes that cannot be made in place: facts about arguments, applied to differences."""

import ipaddress
from collections.abc import Callable, Sequence
from typing import Any

from clusterprint.resource_types import resource_type
from clusterprint.review import facts
from clusterprint.review.delta import leaves
from clusterprint.review.differences import ABSENT, Difference, dotted
from clusterprint.review.model import Forcing


def forcing(type_: str, found: Sequence[Difference]) -> tuple[Forcing, ...]:
    """The differences that Terraform answers by replacing the resource, each argument once."""
    forced, conditions = {}, resource_type(type_).replaced_if
    for each in found:
        path = _forced_path(type_, each)
        if path:
            forced[path] = Forcing(path=path, source=facts.source())
        elif _CONDITIONS[conditions.get(each.dotted, "never")](each.before, each.after):
            forced[each.dotted] = Forcing(path=each.dotted, source=facts.source())
    return tuple(forced.values())


def is_forced(type_: str, path: str) -> bool:
    """Whether an argument forces a replacement, or an entry of a map or list that does as a whole.

    A block that forces one does so when it comes or goes; its arguments each have a say of their own.
    """
    always = [block for block, condition in resource_type(type_).replaced_if.items() if condition == _ALWAYS]
    if any(path == block or path.startswith(f"{block}.") for block in always):
        return True
    known = facts.force_new(type_)
    parts = path.split(".")
    parents = (".".join(parts[:end]) for end in range(1, len(parts)))
    return path in known or any(each in known and not facts.is_block(type_, each) for each in parents)


def _forced_path(type_: str, difference: Difference) -> str:
    path = difference.dotted
    if is_forced(type_, path):
        return path
    # A block that comes or goes takes its arguments with it.
    for side in (difference.before, difference.after):
        for below, _ in leaves(side) if isinstance(side, dict | list) else ():
            inner = ".".join(part for part in (path, dotted(below)) if part)
            if inner in facts.force_new(type_):
                return inner
    return ""


def _shrinks(before: Any, after: Any) -> bool:
    try:
        old, new = ipaddress.ip_network(before), ipaddress.ip_network(after)
    except ValueError:
        return True
    return old.version != new.version or not old.subnet_of(new)  # type: ignore[arg-type]


def _gets_smaller(before: Any, after: Any) -> bool:
    return isinstance(before, int | float) and isinstance(after, int | float) and after < before


def _goes(before: Any, after: Any) -> bool:  # noqa: ARG001 - where there was none, there is no difference
    return after is ABSENT or not after


def _never(before: Any, after: Any) -> bool:  # noqa: ARG001 - stands for a condition
    return False


# Of a block of which the provider plans any change as a replacement, in code and not in its schema: the
# source of a volume is immutable for Kubernetes. (terraform-provider-kubernetes, pull request 139, read
# 2026-11-25.)
_ALWAYS = "any change"

# What the table of resource types says of arguments that are changed in place in one direction only.
_CONDITIONS: dict[str, Callable[[Any, Any], bool]] = {
    "subnet shrinks": _shrinks,
    "number falls": _gets_smaller,
    "removed": _goes,
    _ALWAYS: _never,
    "never": _never,
}
