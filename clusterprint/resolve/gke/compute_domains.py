"""NVLink between nodes: who gets a domain of it."""

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import compute_domains
from clusterprint.plan.gke.jobs import ComputeDomainPlan


def resolve_domain(name: str, blueprint: GkeBlueprint, pool: NodePool, pods: int) -> ComputeDomainPlan | None:
    """The NVLink domain of a job, if its machines are one and the driver that manages it is there."""
    if blueprint.workloads.nvidia_dra is UNSET or not compute_domains.domain_nodes(pool):
        return None
    return ComputeDomainPlan(name=name, claim_template=f"{name}-channel", nodes=pods)
