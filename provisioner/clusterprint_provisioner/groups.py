"""Groups of pods that need one slice each: a Job, a group of a LeaderWorkerSet, a replica of Ray workers."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from clusterprint_provisioner.cluster import Cluster
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.objects import COMPLETION_INDEX, Job, JobSet, Pod
from clusterprint_provisioner.sets import (
    LWS_GROUP,
    LWS_INDEX,
    LWS_NAME,
    RAY_HOST,
    RAY_REPLICA,
    LeaderWorkerSet,
    RayCluster,
)
from clusterprint_provisioner.shapes import asked

K = TypeVar("K", bound=Hashable)
Owner = JobSet | Job | LeaderWorkerSet | RayCluster
_ENDED = ("Succeeded", "Failed")


class Group(Struct, frozen=True):
    """Pods that come and go together. `over`: it needs no nodes, or nobody knows whose it is."""

    identity: Identity
    owner: Owner
    said: dict[str, str]
    count: int
    over: bool
    pods: tuple[Pod, ...]

    def asking(self, resource: str) -> int:
        """How many pods of it ask for a resource, also those that are yet to come."""
        owner = self.owner
        return owner.spec.template.asking(resource) if isinstance(owner, LeaderWorkerSet) else self.count

    def first(self, resource: str) -> tuple[Pod, ...]:
        """Those that ask for the slice in the name of all: the first by index; without indexes any of them.

        Without indexes there are none as soon as one of them has a node.
        """
        pods = tuple(pod for pod in self.pods if asked(pod, resource))
        indexes = [_index(pod) for pod in pods]
        if None in indexes:
            return () if any(pod.spec.node_name for pod in pods) else pods
        lowest = min((each for each in indexes if each is not None), default=0)
        if isinstance(self.owner, Job | JobSet):
            lowest = 0  # or nobody: it may have ended before the others
        return tuple(pod for pod, index in zip(pods, indexes, strict=True) if index == lowest)


def owners(cluster: Cluster) -> dict[str, Owner]:
    """Those that may have pools, by uid."""
    kinds: tuple[tuple[Owner, ...], ...] = (
        *(cluster.jobs, cluster.jobsets),
        *(cluster.leader_worker_sets, cluster.ray_clusters),
    )
    return {each.metadata.uid: each for kind in kinds for each in kind}


def identity_of(job: Job) -> Identity:
    """Whose pool it would be."""
    meta, above = job.metadata, job.metadata.controller
    if above is not None and above.kind == "JobSet":
        return Identity("jobset", meta.namespace, above.name, above.uid, meta.name)
    return Identity("job", meta.namespace, meta.name, meta.uid, meta.name)


def groups(cluster: Cluster) -> Iterator[Group]:
    """All that there are. Of LeaderWorkerSets and Ray clusters, those that have pods."""
    yield from _jobs(cluster)
    yield from _leader_worker_groups(cluster)
    yield from _ray_replicas(cluster)


def _jobs(cluster: Cluster) -> Iterator[Group]:
    known = owners(cluster)
    pods = _by(cluster.pods, _controller)
    for job in cluster.jobs:
        identity = identity_of(job)
        owner = known.get(identity.uid)
        over = owner is None or owner.is_over or job.is_over
        said = {**(owner or job).metadata.annotations, **job.metadata.annotations}
        mine = tuple(pods.get(job.metadata.uid, ()))
        yield Group(identity, owner or job, said, job.spec.parallelism, over, mine)


def _leader_worker_groups(cluster: Cluster) -> Iterator[Group]:
    sets = {(each.metadata.namespace, each.metadata.name): each for each in cluster.leader_worker_sets}
    members = (each for each in cluster.pods if _set(each) in sets and LWS_GROUP in each.metadata.labels)
    found = _by(members, lambda pod: (*_set(pod), pod.metadata.labels[LWS_GROUP]))
    for (namespace, name, group), pods in found.items():
        owner = sets[namespace, name]
        identity = Identity("leaderworkerset", namespace, name, owner.metadata.uid, f"{name}-{group}")
        said = owner.metadata.annotations
        yield Group(identity, owner, said, owner.spec.template.size, owner.is_over, tuple(pods))


def _ray_replicas(cluster: Cluster) -> Iterator[Group]:
    known = {each.metadata.uid: each for each in cluster.ray_clusters}
    workers = (each for each in cluster.pods if _controller(each) in known)
    # Workers of one host each are replicas by themselves.
    found = _by(
        workers,
        lambda pod: (_controller(pod), pod.metadata.labels.get(RAY_REPLICA, pod.metadata.name)),
    )
    for (uid, replica), pods in found.items():
        owner = known[uid]
        meta = owner.metadata
        identity = Identity("raycluster", meta.namespace, meta.name, uid, replica)
        yield Group(identity, owner, meta.annotations, owner.hosts_of(pods[0]), owner.is_over, tuple(pods))


def lives(identity: Identity, owner: Owner | None, there: Iterable[Pod]) -> bool:
    """Whether a group needs its pool: its owner does, and it is one of its groups still."""
    if owner is None or owner.is_over:
        return False
    if isinstance(owner, Job | JobSet):
        return True
    if any(pod.status.phase not in _ENDED and pod.metadata.deletion_timestamp is None for pod in there):
        return True
    # Between two lives of a group it has no pods; beyond the number of groups it does not come back.
    group = identity.job.removeprefix(f"{identity.owner}-")
    return isinstance(owner, LeaderWorkerSet) and group.isdecimal() and int(group) < owner.spec.replicas


def _by(pods: Iterable[Pod], key: Callable[[Pod], K]) -> dict[K, list[Pod]]:
    found: dict[K, list[Pod]] = {}
    for pod in pods:
        found.setdefault(key(pod), []).append(pod)
    return found


def _controller(pod: Pod) -> str:
    """The uid of the one that looks after a pod."""
    return pod.metadata.controller.uid if pod.metadata.controller else ""


def _set(pod: Pod) -> tuple[str, str]:
    """The LeaderWorkerSet that a pod says it is of."""
    return pod.metadata.namespace, pod.metadata.labels.get(LWS_NAME, "")


def _index(pod: Pod) -> int | None:
    """Which of its group a pod is, where that is said."""
    meta = pod.metadata
    said = (
        meta.annotations.get(COMPLETION_INDEX),
        *(meta.labels.get(name) for name in (COMPLETION_INDEX, LWS_INDEX, RAY_HOST)),
    )
    return next((int(each) for each in said if each is not None and each.isdecimal()), None)
