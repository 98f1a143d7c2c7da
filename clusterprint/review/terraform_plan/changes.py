"""The resource changes of a plan as deltas."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterprint.review.delta import Delta, Marks, Resource
from clusterprint.review.differences import dotted
from clusterprint.review.model import Action, Forcing
from clusterprint.review.terraform_plan.sensitive import without_sensitive

_KEY = re.compile(r"\[(?:\d+|\"(?:[^\"\\]|\\.)*\")\]$")
_SOURCE = "Terraform's plan"

_ACTIONS: dict[tuple[str, ...], Action | None] = {
    ("no-op",): None,
    ("create",): "added",
    ("update",): "changed",
    ("delete",): "removed",
    ("delete", "create"): "replaced",
    ("create", "delete"): "replaced",
    ("forget",): "forgotten",
    # The old one stays in the cloud, unmanaged.
    ("create", "forget"): "replaced",
}

_REASONS = {
    "replace_because_tainted": "It was marked as tainted: an earlier apply failed halfway.",
    "replace_by_request": "A replacement was asked for (-replace).",
    "replace_by_triggers": "Something that it is to be replaced with changes (replace_triggered_by).",
    "delete_because_no_resource_config": "It is no longer in the configuration.",
    "delete_because_no_module": "Its module is no longer in the configuration.",
    "delete_because_wrong_repetition": "It was given, or has lost, its count or for_each.",
    "delete_because_count_index": "Its number is beyond the count.",
    "delete_because_each_key": "Its key is no longer in for_each.",
    "delete_because_no_move_target": "It was moved to an address that is not in the configuration.",
}

References = Mapping[str, Mapping[str, tuple[str, ...]]]


def deltas(entries: list[Any], stack: str, refers: References) -> Iterator[Delta]:
    """A delta for each managed resource; reading data changes nothing."""
    for entry in entries:
        if isinstance(entry, dict) and entry.get("mode", "managed") == "managed":
            delta = _delta(entry, stack, refers)
            if delta.before or delta.after:
                yield delta


def _delta(entry: dict[str, Any], stack: str, refers: References) -> Delta:
    change = entry.get("change")
    change = change if isinstance(change, dict) else {}
    actions = tuple(map(str, change.get("actions") or ("no-op",)))
    action = _ACTIONS.get(actions)
    previous = str(entry.get("previous_address") or "")
    if action is None and previous:
        action = "moved"
    if change.get("importing") and action in (None, "moved"):
        action = "imported"
    sensitive = marks(change.get("before_sensitive")) | marks(change.get("after_sensitive"))
    before, after = change.get("before"), change.get("after")
    if "" in sensitive:  # all of it
        sensitive = frozenset({*(before or {}), *(after or {})})
    before, after = without_sensitive(before, after, sensitive)
    resource = _resource(entry, stack, refers)
    return Delta(
        action,
        resource._replace(values=before) if isinstance(before, dict) else None,
        resource._replace(values=after if isinstance(after, dict) else {})
        if _has_after(action, after)
        else None,
        unknown=marks(change.get("after_unknown")),
        sensitive=sensitive,
        forced=tuple(_forced(change)),
        create_first=actions[:1] == ("create",) and action == "replaced",
        reason=_reason(entry),
        previous_address=previous,
        certain=True,
    )


def _has_after(action: Action | None, after: Any) -> bool:
    return isinstance(after, dict) or action in ("added", "replaced")


def _resource(entry: dict[str, Any], stack: str, refers: References) -> Resource:
    address = str(entry.get("address", ""))
    base = _KEY.sub("", address)
    return Resource(stack, str(entry.get("type", "")), address, base, {}, refers.get(base, {}))


def _forced(change: dict[str, Any]) -> Iterator[Forcing]:
    """The paths that Terraform names, each once."""
    paths = change.get("replace_paths")
    found = (
        [dotted(tuple(path)) for path in paths if isinstance(path, list)] if isinstance(paths, list) else []
    )
    for path in dict.fromkeys(found):
        yield Forcing(path=path, source=_SOURCE)


def _reason(entry: dict[str, Any]) -> str:
    reason = _REASONS.get(str(entry.get("action_reason", "")), "")
    if entry.get("deposed"):
        return f"A leftover of an earlier replacement. {reason}".strip()
    return reason


def marks(tree: Any, path: tuple[str, ...] = ()) -> Marks:
    """The paths at which a tree beside values says true; the empty path is all of it."""
    if tree is True:
        return frozenset({".".join(path)})
    if isinstance(tree, dict):
        return frozenset().union(*(marks(each, (*path, str(key))) for key, each in tree.items()))
    if isinstance(tree, list):
        return frozenset().union(*(marks(each, path) for each in tree))
    return frozenset()


def drift(document: Mapping[str, Any], stack: str, planned: Sequence[Delta]) -> Iterator[Delta]:
    """Changes outside of Terraform, but for attributes that nobody wrote and the plan leaves alone.

    The provider reads those back: a group of machines has a size as soon as machines are added by name.
    """
    written = {str(each.get("address", "")): each.get("expressions") or {} for each in _configured(document)}
    touched = {each.resource.address: _differing(each) for each in planned if each.action}
    for each in deltas(document.get("resource_drift") or [], stack, references(document)):
        before, after = each.before, each.after
        told = written.get(each.resource.base)
        if each.action == "changed" and before and after and told is not None:
            kept = {*told, *touched.get(each.resource.address, ())}
            own = {name: value for name, value in after.values.items() if name in kept}
            each = each._replace(after=after._replace(values={**before.values, **own}))  # noqa: PLW2901
            if not _differing(each):
                continue
        if each.action:
            yield each


def _differing(delta: Delta) -> set[str]:
    before, after = (side.values if side else {} for side in (delta.before, delta.after))
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def references(document: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    """By address, what the arguments of the configuration refer to."""
    return {
        str(each.get("address", "")): dict(_expressions(each.get("expressions"), ()))
        for each in _configured(document)
    }


def _configured(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    root = document.get("configuration", {})
    root = root.get("root_module", {}) if isinstance(root, dict) else {}
    resources = root.get("resources") if isinstance(root, dict) else None
    yield from (each for each in resources or () if isinstance(each, dict))


def _expressions(tree: Any, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(tree, list):
        for each in tree:
            yield from _expressions(each, path)
    elif isinstance(tree, dict):
        found = tree.get("references")
        if isinstance(found, list):
            yield ".".join(path), tuple(map(str, found))
            return
        for key, each in tree.items():
            yield from _expressions(each, (*path, str(key)))
