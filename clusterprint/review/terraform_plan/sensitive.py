"""Sensitive values are taken out of a plan as it is read, so that nothing after that can show them."""

from typing import Any

from clusterprint.review.delta import Marks

HIDDEN = "(sensitive)"

# Another text, so that a changed value is still found to be one.
_HIDDEN_AND_CHANGED = "(sensitive, changed)"


def without_sensitive(before: Any, after: Any, marks: Marks, path: str = "") -> tuple[Any, Any]:
    """Both sides with a word in the place of every value that is marked on either of them."""
    if path in marks:
        new = HIDDEN if before == after else _HIDDEN_AND_CHANGED
        return (None if before is None else HIDDEN), (None if after is None else new)
    if isinstance(before, dict) or isinstance(after, dict):
        return _maps(before, after, marks, path)
    if isinstance(before, list) or isinstance(after, list):
        return _lists(before, after, marks, path)
    return before, after


def _maps(before: Any, after: Any, marks: Marks, path: str) -> tuple[Any, Any]:
    old = before if isinstance(before, dict) else {}
    new = after if isinstance(after, dict) else {}
    pairs = {
        key: without_sensitive(old.get(key), new.get(key), marks, f"{path}.{key}" if path else str(key))
        for key in {**old, **new}
    }
    return (
        {key: pairs[key][0] for key in old} if isinstance(before, dict) else before,
        {key: pairs[key][1] for key in new} if isinstance(after, dict) else after,
    )


def _lists(before: Any, after: Any, marks: Marks, path: str) -> tuple[Any, Any]:
    old = before if isinstance(before, list) else []
    new = after if isinstance(after, list) else []
    length = max(len(old), len(new))
    pairs = [
        without_sensitive(
            old[index] if index < len(old) else None, new[index] if index < len(new) else None, marks, path
        )
        for index in range(length)
    ]
    return (
        [was for was, _ in pairs[: len(old)]] if isinstance(before, list) else before,
        [now for _, now in pairs[: len(new)]] if isinstance(after, list) else after,
    )
