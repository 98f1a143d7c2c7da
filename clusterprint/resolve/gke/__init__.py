"""Decisions about `kind: gke`: one file for each part of the cluster."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.plan.slice import StackPlan
from clusterprint.resolve.gke.cluster import resolve_cluster

_WORKLOADS = "clusterprint.resolve.gke.workloads"


def resolve(blueprint: GkeBlueprint, folder: Path) -> tuple[StackPlan, ...]:
    """Make the plans of the cluster and, when something runs inside it, of its workloads."""
    cluster = resolve_cluster(blueprint)
    if find_spec(_WORKLOADS) is None:
        return (cluster,)
    workloads = import_module(_WORKLOADS).resolve_workloads(blueprint, cluster, folder)
    return (cluster, workloads) if workloads else (cluster,)
