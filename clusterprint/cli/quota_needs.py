"""Quotas that the clusters of blueprints need, derived from their stacks."""

from typing import TYPE_CHECKING

from clusterprint.examine import Examined
from clusterprint.validate import Validated

if TYPE_CHECKING:
    from clusterprint.review.quota import QuotaNeed


def quota_of(examined: Examined) -> "list[QuotaNeed]":
    """The quotas that the clusters use together."""
    from clusterprint.review.quota import quota_needs, together
    from clusterprint.review.side import synthesized

    found = []
    for result, stacks in zip(examined.results, synthesized(examined.results), strict=True):
        resources = [each for stack in stacks for each in stack.resources.values()]
        found += quota_needs(resources, owner(result))
    return together(found)


def owner(result: Validated) -> str:
    """Whose quotas a cluster uses: its project or subscription."""
    data = result.document.data
    return str(data.get("project") or data.get("subscription") or "")
