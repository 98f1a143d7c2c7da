"""The namespaces that what runs inside the cluster lives in."""

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.resolve.gke.charts import CERT_MANAGER_NAMESPACE, JOBSET_NAMESPACE, KUEUE_NAMESPACE
from clusterprint.resolve.gke.manifests import Manifests

MPI_OPERATOR = "mpi-operator"
TPU_PROVISIONER = "tpu-provisioner-system"

# Every cluster has these from the beginning.
PRESENT = frozenset(("default", "kube-system", "kube-public", "kube-node-lease"))

_OF_GOOGLE = ("gke-", "gmp-")


def resolve_namespaces(blueprint: GkeBlueprint, manifests: Manifests) -> tuple[str, ...]:
    """All that are named and not yet there, but for those that the user's files bring."""
    workloads = blueprint.workloads
    wanted = {*manifests.named, *(each.namespace for each in blueprint.workload_identity)}
    if workloads.mpi is not UNSET:
        wanted |= {MPI_OPERATOR, workloads.mpi.namespace}
    if workloads.jobset is not UNSET:
        wanted.add(JOBSET_NAMESPACE)
    if workloads.kueue is not UNSET:
        wanted |= {KUEUE_NAMESPACE, *(each.namespace for each in workloads.kueue.local_queues)}
    if workloads.tpu_provisioner is not UNSET:
        wanted.add(TPU_PROVISIONER)
        if workloads.tpu_provisioner.webhook is not UNSET:
            wanted.add(CERT_MANAGER_NAMESPACE)
    return tuple(sorted(name for name in wanted - manifests.brought if not is_present(name)))


def is_present(namespace: str) -> bool:
    """Whether every cluster has it from the beginning: Kubernetes', GKE's, managed Prometheus' own."""
    return namespace in PRESENT or namespace.startswith(_OF_GOOGLE)
