"""Pools and numbers of pods of JobSets, TrainJobs and LeaderWorkerSets."""

from msgspec import UNSET

from clusterprint.blueprint.gke.pod_groups import JobSet, LeaderWorkerSet, PodGroup, TrainJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import node_pools


def every(workloads: Workloads) -> tuple[PodGroup, ...]:
    """All groups of pods of a blueprint."""
    return (*workloads.jobsets, *workloads.train_jobs, *workloads.leader_worker_sets)


def may_run(group: PodGroup, pool: NodePool) -> bool:
    """Whether the pods may run on a pool: the one that is named, or any.

    Of several, they run on the first.
    """
    return group.node_pool is UNSET or pool.name == group.node_pool


def replicas(group: PodGroup, pool: NodePool) -> int:
    """How many replicas there are: one for each slice of TPUs if nothing is said of a JobSet."""
    if isinstance(group, TrainJob):
        return 1
    if isinstance(group, LeaderWorkerSet):
        return group.replicas
    if isinstance(group, JobSet) and group.replicas is not UNSET:
        return group.replicas
    return node_pools.slices(pool)


def pods(group: PodGroup, pool: NodePool) -> int:
    """How many pods a replica has: the hosts of a slice of TPUs by default."""
    given = group.size if isinstance(group, LeaderWorkerSet) else UNSET
    if isinstance(group, JobSet):
        given = group.pods_per_replica
    if isinstance(group, TrainJob):
        given = group.nodes
    return (node_pools.nodes_per_slice(pool) or 1) if given is UNSET else given


def is_exclusive(group: PodGroup, pool: NodePool) -> bool:
    """Whether each replica has a node pool of GKE for itself, as a slice of TPUs is one."""
    return node_pools.slices(pool) > 1 if group.exclusive is UNSET else group.exclusive


def leaders(name: str) -> dict[str, str]:
    """The labels of the leaders of a LeaderWorkerSet, as its controller puts them."""
    return {**members(name), "leaderworkerset.sigs.k8s.io/worker-index": "0"}


def members(name: str) -> dict[str, str]:
    """The labels of all pods of a LeaderWorkerSet, as its controller puts them."""
    return {"leaderworkerset.sigs.k8s.io/name": name}


def leaders_service(name: str) -> str:
    """The headless service of a LeaderWorkerSet's leaders, which has its name."""
    return f"{name}-leaders"
