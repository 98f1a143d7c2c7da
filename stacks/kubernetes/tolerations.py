"""Taints that pods put up with, as Kubernetes writes them."""

from collections.abc import Iterable
from typing import Any

from clusterprint.plan.kubernetes import TolerationPlan


def tolerations(plans: Iterable[TolerationPlan]) -> list[dict[str, Any]]:
    """Tolerations of a pod or of a flavor; without a value, of any value."""
    return [
        {
            "key": plan.key,
            "operator": "Equal" if plan.value else "Exists",
            **({"value": plan.value} if plan.value else {}),
            **({"effect": plan.effect} if plan.effect else {}),
        }
        for plan in plans
    ]
