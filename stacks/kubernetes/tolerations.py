"""Taints that pods put up with, as Kubernetes writes them."""

from collections.abc import Iterable

from clusterprint.plan.kubernetes import TolerationPlan
from stacks.kubernetes.pod import Toleration


def tolerations(plans: Iterable[TolerationPlan]) -> list[Toleration]:
    """Tolerations of a pod or of a flavor; without a value, of any value."""
    return [_toleration(plan) for plan in plans]


def _toleration(plan: TolerationPlan) -> Toleration:
    written = Toleration(key=plan.key, operator="Equal" if plan.value else "Exists")
    if plan.value:
        written["value"] = plan.value
    if plan.effect:
        written["effect"] = plan.effect
    return written
