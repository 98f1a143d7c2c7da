"""The steps of a plan with a digest each, so that two plans can be told apart.

A digest covers what a step does and nothing that it leaves unchanged: plans of two accounts are equal if they
do the same. `review.approval` stores digests instead of plans, because plans contain secrets and become
stale.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from clusterprint.review.model import PlannedStep
from clusterprint.review.terraform_plan.changes import marks
from clusterprint.review.terraform_plan.sensitive import without_sensitive

_NOTHING = (("no-op",), ("read",))


def planned_steps(document: Mapping[str, Any]) -> Iterator[PlannedStep]:
    """Each step of a plan, in the order of the plan."""
    for entry in document.get("resource_changes") or ():
        change = entry.get("change") or {}
        actions = tuple(map(str, change.get("actions") or ("no-op",)))
        if actions in _NOTHING and not change.get("importing") and not entry.get("previous_address"):
            continue
        deposed = f" (deposed {entry['deposed']})" if entry.get("deposed") else ""
        yield PlannedStep(
            address=f"{entry.get('address', '')}{deposed}",
            actions=actions,
            digest=_digest(entry, change, is_new="create" in actions),
        )


def _digest(entry: Mapping[str, Any], change: Mapping[str, Any], *, is_new: bool) -> str:
    """Of all that the step does, and of nothing that it leaves alone: that may change by itself meanwhile."""
    before, after = _sides(change)
    found = change.get("before")
    told = {
        "actions": change.get("actions"),
        "which": found.get("id") if isinstance(found, dict) else None,
        "importing": change.get("importing"),
        "from": entry.get("previous_address"),
        "deposed": entry.get("deposed"),
        "unknown": sorted(marks(change.get("after_unknown"))),
        "values": {
            key: [None if is_new else before.get(key), value]
            for key, value in after.items()
            if is_new or before.get(key) != value
        },
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _sides(change: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values before and after; a word replaces each sensitive one, since a digest is published."""
    before, after = change.get("before"), change.get("after")
    hidden = marks(change.get("before_sensitive")) | marks(change.get("after_sensitive"))
    if "" in hidden:  # all of it
        hidden = frozenset({*(before or ()), *(after or ())})
    old, new = without_sensitive(before, after, hidden)
    old, new = (each if isinstance(each, dict) else {} for each in (old, new))
    gone = {key: None for key in old if key not in new} if new else {}
    return old, {**new, **gone}
