"""All that is known when something is decided, and what follows from it."""

from collections.abc import Mapping
from functools import cached_property

from clusterprint_provisioner.cluster import Cluster
from clusterprint_provisioner.groups import Group, Owner, groups, identity_of, lives, owners
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.objects import NODE_POOL, Job, Pod
from clusterprint_provisioner.pools import Operation, Pool
from clusterprint_provisioner.records import Record

_CHANGING = ("PROVISIONING", "STOPPING", "RECONCILING")
_SYSTEM = ("kube-system", "gmp-system")
_MANAGED = "gke-managed-"


class World:
    """The cluster, its pools, what is done to them, and what went wrong before.

    `started` are pools for which something was asked that the cloud does not show yet.
    """

    def __init__(
        self,
        cluster: Cluster,
        pools: tuple[Pool, ...],
        operations: tuple[Operation, ...],
        records: Mapping[str, Record],
        started: frozenset[str] = frozenset(),
    ) -> None:
        self.cluster = cluster
        self.pools = {each.name: each for each in pools}
        self.records = records
        self._operations = operations
        self._started = started

    @cached_property
    def owned(self) -> dict[str, Identity]:
        """Our pools, and whose they are."""
        found = {name: pool.identity for name, pool in sorted(self.pools.items())}
        return {name: identity for name, identity in found.items() if identity is not None}

    @cached_property
    def in_flight(self) -> frozenset[str]:
        """Pools that something is done to."""
        running = {
            each.pool for each in self._operations if each.status in ("PENDING", "RUNNING", "ABORTING")
        }
        changing = {name for name, pool in self.pools.items() if pool.status in _CHANGING}
        return frozenset((running | changing | self._started) - {""})

    @cached_property
    def last_creation(self) -> dict[str, Operation]:
        """The last operation that was to make each pool."""
        made = [each for each in self._operations if each.operation_type == "CREATE_NODE_POOL" and each.pool]
        return {each.pool: each for each in sorted(made, key=lambda each: (each.start_time, each.name))}

    @cached_property
    def nodes(self) -> dict[str, list[str]]:
        """The names of each pool's nodes."""
        found: dict[str, list[str]] = {}
        for node in self.cluster.nodes:
            found.setdefault(node.metadata.labels.get(NODE_POOL, ""), []).append(node.metadata.name)
        return found

    def is_needed(self, identity: Identity) -> bool:
        """Whether whoever a pool is for needs it still."""
        group = self._groups.get(identity)
        return lives(identity, self._owners.get(identity.uid), group.pods if group else ())

    @cached_property
    def groups(self) -> frozenset[Identity]:
        """All that may have a pool."""
        return frozenset(self._groups)

    def others(self, name: str, identity: Identity) -> list[str]:
        """The pods on a pool that keep it: all but those of the job that it was for, once that has ended."""
        return sorted(
            f"{pod.metadata.namespace}/{pod.metadata.name}"
            for pod in self._pods_on(name)
            if self._keeps(pod, identity)
        )

    def strangers(self, name: str, identity: Identity) -> list[str]:
        """The pods on a pool that are not of the group that it was made for."""
        group = self._groups.get(identity)
        own = {pod.metadata.uid for pod in group.pods} if group else set()
        return sorted(
            f"{pod.metadata.namespace}/{pod.metadata.name}"
            for pod in self._pods_on(name)
            if _lives(pod) and pod.metadata.uid not in own
        )

    def runs_on(self, name: str) -> bool:
        """Whether any pod of a user runs on a pool."""
        return any(_lives(pod) for pod in self._pods_on(name))

    def _pods_on(self, name: str) -> list[Pod]:
        return [pod for node in self.nodes.get(name, ()) for pod in self._pods.get(node, ())]

    @cached_property
    def _pods(self) -> dict[str, list[Pod]]:
        found: dict[str, list[Pod]] = {}
        for pod in self.cluster.pods:
            found.setdefault(pod.spec.node_name, []).append(pod)
        return found

    @cached_property
    def _owners(self) -> dict[str, Owner]:
        return owners(self.cluster)

    @cached_property
    def _groups(self) -> dict[Identity, Group]:
        return {each.identity: each for each in groups(self.cluster)}

    @cached_property
    def _jobs(self) -> dict[str, Job]:
        return {job.metadata.uid: job for job in self.cluster.jobs}

    def _keeps(self, pod: Pod, identity: Identity) -> bool:
        """Whether a pod is a reason to keep the pool; one of the job that has ended is none."""
        owner = pod.metadata.controller
        job = self._jobs.get(owner.uid) if owner else None
        ended = job is not None and job.is_over and identity_of(job).uid == identity.uid
        return _lives(pod) and not ended


def _lives(pod: Pod) -> bool:
    owner, namespace = pod.metadata.controller, pod.metadata.namespace
    return (
        pod.status.phase not in ("Succeeded", "Failed")
        and pod.metadata.deletion_timestamp is None
        and (owner is None or owner.kind not in ("DaemonSet", "Node"))
        and namespace not in _SYSTEM
        and not namespace.startswith(_MANAGED)
    )
