"""LeaderWorkerSets and Ray clusters, as much of each as is looked at."""

from msgspec import Struct

from clusterprint_provisioner.objects import Meta, Pod

LWS_NAME = "leaderworkerset.sigs.k8s.io/name"
LWS_GROUP = "leaderworkerset.sigs.k8s.io/group-index"
LWS_INDEX = "leaderworkerset.sigs.k8s.io/worker-index"
RAY_GROUP = "ray.io/group"
RAY_REPLICA = "ray.io/worker-group-replica-name"
RAY_HOST = "ray.io/replica-host-index"


class Resources(Struct, frozen=True):
    """Requests of a container in a template, where limits have not become requests yet."""

    requests: dict[str, str | int | float] = {}
    limits: dict[str, str | int | float] = {}


class Container(Struct, frozen=True):
    """One program of a template."""

    resources: Resources = Resources()


class TemplateSpec(Struct, frozen=True):
    """The specification of the pods of a template."""

    containers: tuple[Container, ...] = ()

    def asks(self, resource: str) -> bool:
        """Whether they ask for a resource."""
        return any(
            resource in {**each.resources.requests, **each.resources.limits} for each in self.containers
        )


class Template(Struct, frozen=True):
    """The template of a pod."""

    spec: TemplateSpec = TemplateSpec()


class LeaderWorkerTemplate(Struct, frozen=True, rename="camel"):
    """One group: its size, and what its leader is made from, if that is no worker like the others."""

    size: int = 1
    leader_template: Template | None = None

    def asking(self, resource: str) -> int:
        """How many pods of a group ask for a resource: its workers, and the leader if that does."""
        leads_without = self.leader_template and not self.leader_template.spec.asks(resource)
        return self.size - 1 if leads_without else self.size


class LeaderWorkerSetSpec(Struct, frozen=True, rename={"template": "leaderWorkerTemplate"}):
    """How many groups there are, and what they are like."""

    replicas: int = 1
    template: LeaderWorkerTemplate = LeaderWorkerTemplate()


class LeaderWorkerSet(Struct, frozen=True):
    """Groups of pods, each with a leader."""

    metadata: Meta
    spec: LeaderWorkerSetSpec = LeaderWorkerSetSpec()

    @property
    def is_over(self) -> bool:
        """Whether it needs no nodes: it goes."""
        return self.metadata.deletion_timestamp is not None


class WorkerGroup(Struct, frozen=True, rename="camel"):
    """Ray workers of one kind; a replica has several hosts where its slice has."""

    group_name: str = ""
    num_of_hosts: int = 1


class RayClusterSpec(Struct, frozen=True, rename="camel"):
    """Its groups of workers, and whether it may run."""

    worker_group_specs: tuple[WorkerGroup, ...] = ()
    suspend: bool = False


class RayCluster(Struct, frozen=True):
    """A head and its workers."""

    metadata: Meta
    spec: RayClusterSpec = RayClusterSpec()

    @property
    def is_over(self) -> bool:
        """Whether it needs no nodes: it is suspended, or goes."""
        return self.spec.suspend or self.metadata.deletion_timestamp is not None

    def hosts_of(self, worker: Pod) -> int:
        """How many hosts the replica of a worker has."""
        name = worker.metadata.labels.get(RAY_GROUP)
        return next(
            (each.num_of_hosts for each in self.spec.worker_group_specs if each.group_name == name), 1
        )
