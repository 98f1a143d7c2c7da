"""The namespaces that what runs inside the cluster lives in."""

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components, gateways, pod_groups, volume_mounts
from clusterprint.resolve.gke.manifests import Manifests

# Every cluster has these from the beginning.
PRESENT = frozenset(("default", "kube-system", "kube-public", "kube-node-lease"))

_OF_GOOGLE = ("gke-", "gmp-")

# Where the webhook of ML Diagnostics looks at pods.
_DIAGNOSED = {"managed-mldiagnostics-gke": "true"}


def resolve_namespaces(blueprint: GkeBlueprint, manifests: Manifests) -> tuple[str, ...]:
    """All that are named and not yet there, but for those that the user's files bring."""
    workloads = blueprint.workloads
    wanted = {*manifests.named, *(each.namespace for each in blueprint.workload_identity)}
    wanted |= set(volume_mounts.namespaces(blueprint)) if blueprint.storage.volumes else set()
    wanted |= {each.namespace for each in pod_groups.every(workloads)}
    wanted |= {each.namespace for each in workloads.charts}
    if workloads.ml_diagnostics is not UNSET:
        wanted.update(workloads.ml_diagnostics.namespaces)
    if workloads.inference is not UNSET:
        wanted.update(gateways.namespaces(workloads.inference))
    if workloads.mpi is not UNSET:
        wanted.add(workloads.mpi.namespace)
    if workloads.kueue is not UNSET:
        wanted |= {each.namespace for each in workloads.kueue.local_queues}
    # Those of components are made here, whatever they are called.
    ours = {component.namespace for _, component, _ in components.requested(workloads)}
    named = {name for name in wanted if not is_present(name)}
    return tuple(sorted((named | ours) - manifests.brought))


def resolve_namespace_labels(workloads: Workloads, namespaces: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """The labels of namespaces, by name; `namespaces` are those of jobs and queues."""
    diagnostics = workloads.ml_diagnostics
    if diagnostics is UNSET:
        return {}
    return dict.fromkeys(sorted(diagnostics.namespaces or namespaces), _DIAGNOSED)


def is_present(namespace: str) -> bool:
    """Whether every cluster has it from the beginning: Kubernetes', GKE's, managed Prometheus' own."""
    return namespace in PRESENT or namespace.startswith(_OF_GOOGLE)
