"""Quotas that the clusters of blueprints need, derived from their stacks."""

from typing import TYPE_CHECKING

from clusterprint.examine import Examined
from clusterprint.validate import Validated, alternatives

if TYPE_CHECKING:
    from clusterprint.review.quota import QuotaNeed


def quota_of(examined: Examined) -> "list[QuotaNeed]":
    """The quotas that the clusters use together, with any of their wishes for capacity."""
    from clusterprint.review.quota import quota_needs, together, with_wishes
    from clusterprint.review.side import synthesized

    others = [alternatives(each.document) for each in examined.results]
    every = [*examined.results, *(each.validated for wishes in others for each in wishes)]
    needs = [
        quota_needs([each for stack in stacks for each in stack.resources.values()], owner(result))
        for result, stacks in zip(every, synthesized(every), strict=True)
    ]
    found, rest = [], iter(needs[len(others) :])
    for now, wishes in zip(needs, others, strict=False):
        by_group: dict[str, list[list[QuotaNeed]]] = {}
        for each in wishes:
            by_group.setdefault(each.group.name, []).append(next(rest))
        found += with_wishes(now, by_group.values())
    return together(found)


def owner(result: Validated) -> str:
    """Whose quotas a cluster uses: its project or subscription."""
    data = result.document.data
    return str(data.get("project") or data.get("subscription") or "")
