"""Job queues with Kueue."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ChartVersion
from clusterprint.blueprint.gke.job_fields import NODES
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Forbids,
    Names,
    Refuses,
    Relation,
    Unique,
    when,
    written,
)
from clusterprint.blueprint.texts import Duration, choice


class Quota(Part, frozen=True, kw_only=True):
    """How many nodes of a pool belong to a queue."""

    relations = (Names("GKE230", "pool", NODES, "node pool"),)

    pool: Annotated[PoolName, Meta(description="Name of the node pool.", examples=["workers"])]
    nodes: Annotated[
        int,
        Meta(
            ge=0,
            le=15000,
            description="Nodes that are guaranteed to the queue. 0: only idle nodes of others.",
            examples=[8],
        ),
    ]
    borrow: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=15000,
            description="Maximum number of idle nodes of others that the queue may borrow. Left out: no "
            "limit.",
            examples=[4],
        ),
    ] = UNSET
    lend: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=15000,
            description="Maximum number of its own idle nodes that others may borrow. Left out: all.",
            examples=[8],
        ),
    ] = UNSET


class LocalQueue(Part, frozen=True, kw_only=True):
    """A queue for the jobs of a namespace."""

    relations = (
        Unique(
            "GKE232",
            "quotas",
            "queue {part.name} has two quotas of pool {item.pool}",
            key=("pool",),
            help="add them up",
        ),
    )

    name: Annotated[
        KubernetesName, Meta(description="Name of the queue, which jobs refer to.", examples=["default"])
    ]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of its jobs.")] = "default"
    quotas: Annotated[
        tuple[Quota, ...],
        Meta(
            description="Nodes that belong to this queue, for example to one team. The queue then gets "
            "its own cluster queue, and lends its idle nodes to others. Empty: it shares the nodes that "
            "belong to no queue.",
            examples=[[{"pool": "workers", "nodes": 8}]],
        ),
    ] = ()


class Priority(Part, frozen=True, kw_only=True):
    """A priority for jobs: those with a higher one are admitted first."""

    name: Annotated[KubernetesName, Meta(description="Name of the priority.", examples=["urgent"])]
    value: Annotated[
        int,
        Meta(
            ge=-1000000,
            le=1000000,
            description="Value: higher is admitted earlier. Jobs without a priority have 0.",
            examples=[1000],
        ),
    ]


class Preemption(Part, frozen=True, kw_only=True):
    """Which running jobs are stopped, and queued again, when another job needs their nodes."""

    within_queue: Annotated[
        Literal["never", "lower_priority", "lower_or_newer_equal_priority"],
        choice(
            description="Jobs that are preempted for a waiting job of the same queue.",
            values={
                "never": "None.",
                "lower_priority": "Those of a lower priority.",
                "lower_or_newer_equal_priority": "Those of a lower priority, or of the same priority but "
                "submitted later.",
            },
        ),
    ] = "lower_priority"
    reclaim: Annotated[
        Literal["never", "lower_priority", "any"],
        choice(
            description="Jobs of other queues that are preempted when a queue needs its own nodes back.",
            values={
                "never": "None: a queue waits until they end.",
                "lower_priority": "Those of a lower priority than the waiting job.",
                "any": "Any job that runs on borrowed nodes.",
            },
        ),
    ] = "any"


class NodeRequests(Part, frozen=True, kw_only=True):
    """How long Kueue asks for the nodes of a job on pools with `queued` capacity.

    A request fails if GKE cannot make the nodes, for example because the pool is at its maximum. The job then
    goes back to its queue.
    """

    relations = (Refuses("GKE115", "longest_wait", "outside", ("1m", "1d")),)

    retries: Annotated[
        int,
        Meta(
            ge=0,
            le=1000000,
            description="How often a failed request is repeated. After that, Kueue deactivates the job.",
        ),
    ] = 1000
    longest_wait: Annotated[
        Duration,
        Meta(description="Longest wait between two requests. The first is a minute, and each doubles it."),
    ] = "30m"


class Kueue(Chart, frozen=True, kw_only=True):
    """Kueue: jobs wait until there is room for all their pods.

    clusterprint creates one resource flavor per node pool, and one cluster queue whose quotas are the
    capacity of the pools, less what local queues have of their own.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE234", when("version"), when("topology_pools"), (when("@is_before_topology"),)),
        Forbids("GKE239", written("preemption.reclaim"), (when("@own_quotas", False),), "", "reclaim"),
        Forbids(
            "GKE239",
            written("preemption.within_queue"),
            (when("@own_quotas", False), when("priorities", ())),
            instead="",
            words="within_queue",
        ),
        Unique(
            "GKE111",
            "local_queues",
            "namespace {item.namespace} has two queues called {item.name}",
            key=("name", "namespace"),
        ),
        Unique("GKE236", "priorities", "there are two priorities called {item.name}"),
        Forbids("GKE116", written("node_requests"), (when("@has_queued_pools", False),), ""),
        Names("GKE233", "topology_pools", ("node_pools",), "node pool"),
    )

    version: Annotated[
        ChartVersion | UnsetType,
        Meta(
            description="Chart version. Left out: the version that this release of clusterprint pins.",
            examples=["0.17.1"],
        ),
    ] = UNSET
    cluster_queue: Annotated[KubernetesName, Meta(description="Name of the queue that holds all quotas.")] = (
        "cluster"
    )
    local_queues: Annotated[
        tuple[LocalQueue, ...],
        Meta(
            description="Queues that jobs are submitted to. Those without `quotas` share the quotas of "
            "the cluster queue.",
            min_length=1,
        ),
    ] = (LocalQueue(name="default"),)
    topology_pools: Annotated[
        tuple[PoolName, ...],
        Meta(
            description="Node pools whose jobs are placed by the topology of their machines: Kueue counts "
            "free nodes per block and sub-block, and keeps a job's pods together. Only pools with a fixed "
            "number of nodes.",
            examples=[["workers"]],
        ),
    ] = ()
    priorities: Annotated[
        tuple[Priority, ...],
        Meta(
            description="Priorities that jobs can name.",
            examples=[[{"name": "urgent", "value": 1000}]],
        ),
    ] = ()
    preemption: Annotated[
        Preemption,
        Meta(
            description="Which running jobs are preempted for waiting ones. Requires `priorities` or "
            "`quotas`."
        ),
    ] = Preemption()
    node_requests: Annotated[
        NodeRequests,
        Meta(
            description="How long Kueue asks for nodes of pools with `queued` capacity. By default, about "
            "three weeks."
        ),
    ] = NodeRequests()
