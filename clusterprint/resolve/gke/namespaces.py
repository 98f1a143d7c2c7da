"""The namespaces that what runs inside the cluster lives in."""

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived import components, gateways, volume_mounts
from clusterprint.resolve.gke.manifests import Manifests

# Every cluster has these from the beginning.
PRESENT = frozenset(("default", "kube-system", "kube-public", "kube-node-lease"))

_OF_GOOGLE = ("gke-", "gmp-")


def resolve_namespaces(blueprint: GkeBlueprint, manifests: Manifests) -> tuple[str, ...]:
    """All that are named and not yet there, but for those that the user's files bring."""
    workloads = blueprint.workloads
    wanted = {*manifests.named, *(each.namespace for each in blueprint.workload_identity)}
    wanted |= set(volume_mounts.namespaces(blueprint)) if blueprint.storage.volumes else set()
    wanted |= {component.namespace for _, component, _ in components.requested(workloads)}
    wanted |= {each.namespace for each in (*workloads.jobsets, *workloads.leader_worker_sets)}
    wanted |= {each.namespace for each in workloads.charts}
    if workloads.inference is not UNSET:
        wanted.update(gateways.namespaces(workloads.inference))
    if workloads.mpi is not UNSET:
        wanted.add(workloads.mpi.namespace)
    if workloads.kueue is not UNSET:
        wanted |= {each.namespace for each in workloads.kueue.local_queues}
    return tuple(sorted(name for name in wanted - manifests.brought if not is_present(name)))


def is_present(namespace: str) -> bool:
    """Whether every cluster has it from the beginning: Kubernetes', GKE's, managed Prometheus' own."""
    return namespace in PRESENT or namespace.startswith(_OF_GOOGLE)
