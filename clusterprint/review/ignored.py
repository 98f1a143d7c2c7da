"""Arguments that Terraform was told to leave alone once a resource is there (`ignore_changes`)."""

import re
from typing import Any

from clusterprint.review.delta import Resource, get

_POSITION = re.compile(r"\[\d+\]")
_KEY = re.compile(r"\[\"([^\"]*)\"\]")


def ignored_paths(resource: Resource) -> tuple[str, ...]:
    """The arguments, as dotted paths; `all` for everything."""
    told = get(resource.meta, "lifecycle.ignore_changes", ())
    paths = [told] if isinstance(told, str) else [each for each in told if isinstance(each, str)]
    return tuple(_KEY.sub(r".\1", _POSITION.sub("", each)) for each in paths)


def is_ignored(path: str, resource: Resource) -> bool:
    """Whether a change of an argument is left alone."""
    ignored = ignored_paths(resource)
    return "all" in ignored or any(path == each or path.startswith(f"{each}.") for each in ignored)


def heeding_ignored(before: Resource, after: Resource) -> Resource:
    """The new version with the old values of what is ignored: what Terraform compares with."""
    ignored = ignored_paths(after)
    if "all" in ignored:
        return after._replace(values=before.values)
    values = after.values
    for path in ignored:
        values = _kept(before.values, values, path.split("."))
    return after._replace(values=values)


def _kept(before: Any, after: Any, path: list[str]) -> Any:
    """A copy of a tree with the old value at a path."""
    if isinstance(after, list):
        old = before if isinstance(before, list) else [before] * len(after)
        return [_kept(was, now, path) for was, now in zip(old, after, strict=False)] + after[len(old) :]
    if not isinstance(after, dict):
        return after
    first, *rest = path
    was = before.get(first) if isinstance(before, dict) else None
    if rest:
        return {**after, first: _kept(was, after[first], rest)} if first in after else after
    others = {key: each for key, each in after.items() if key != first}
    return others if was is None else {**others, first: was}
