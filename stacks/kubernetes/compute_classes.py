"""Compute classes, as objects of GKE."""

from collections.abc import Iterable
from typing import Any

from clusterprint.plan.gke.cluster import ComputeClassPlan


def compute_class_objects(plans: Iterable[ComputeClassPlan]) -> dict[str, dict[str, Any]]:
    """One object for each class, with one rule for each pool, in the order in which they are tried."""
    return {
        plan.name: {
            "apiVersion": "cloud.google.com/v1",
            "kind": "ComputeClass",
            "metadata": {"name": plan.name},
            "spec": {
                "priorities": [{"nodepools": [pool]} for pool in plan.pools],
                "activeMigration": {"optimizeRulePriority": plan.migrate},
                "whenUnsatisfiable": plan.when_unsatisfiable,
            },
        }
        for plan in plans
    }
