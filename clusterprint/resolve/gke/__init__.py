"""Decisions about `kind: gke`: one file for each part of the cluster.

A Kubernetes cluster does not know what it is for: `cluster` derives the plan of `<name>-cluster` from any
`KubernetesBlueprint` and the requirements of what runs inside (`Needs`). What runs inside is a separate
stack, which refers to attributes of the first: Terraform reads them from its state. Another pool changes
nothing else: address ranges are split into fixed parts, GPU networks belong to the cluster and are named by
their use, and the primary network has its MTU from the start.
"""

from pathlib import Path

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.plan.part import StackPlan
from clusterprint.resolve.gke.cluster import resolve_cluster
from clusterprint.resolve.gke.existing import adds_something
from clusterprint.resolve.gke.init_scripts import with_init_scripts
from clusterprint.resolve.gke.workloads import resolve_needs, resolve_workloads


def resolve(blueprint: GkeBlueprint, folder: Path) -> tuple[StackPlan, ...]:
    """Make the plans of the cluster and, when something runs inside it, of its workloads."""
    cluster = with_init_scripts(resolve_cluster(blueprint, resolve_needs(blueprint)), blueprint, folder)
    workloads = resolve_workloads(blueprint, cluster, folder)
    made = (cluster,) if adds_something(cluster) else ()
    return (*made, workloads) if workloads else made
