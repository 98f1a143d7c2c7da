"""Job queues with Kueue."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ChartVersion
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part


class Quota(Part, frozen=True, kw_only=True):
    """How many nodes of a pool belong to a queue."""

    pool: Annotated[PoolName, Meta(description="Name of the node pool.", examples=["workers"])]
    nodes: Annotated[
        int,
        Meta(
            ge=0,
            le=15000,
            description="Nodes whose resources the queue is guaranteed. 0: only what others leave idle.",
            examples=[8],
        ),
    ]
    borrow: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=15000,
                description="Most nodes that the queue may use beyond its own, while others leave them "
                "idle. Left out: no limit.",
                examples=[4],
            ),
        ]
        | UnsetType
    ) = UNSET
    lend: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=15000,
                description="Most of its own nodes that others may use while they are idle. Left out: all.",
                examples=[8],
            ),
        ]
        | UnsetType
    ) = UNSET


class LocalQueue(Part, frozen=True, kw_only=True):
    """A queue for the jobs of a namespace."""

    name: Annotated[
        KubernetesName, Meta(description="Name of the queue, which jobs refer to.", examples=["default"])
    ]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of its jobs.")] = "default"
    quotas: Annotated[
        tuple[Quota, ...],
        Meta(
            description="Nodes that belong to this queue, for a team for example. It then has a cluster "
            "queue of its own, and what it leaves idle is lent. Empty: it uses what no queue has of its own.",
            examples=[[{"pool": "workers", "nodes": 8}]],
        ),
    ] = ()


class Priority(Part, frozen=True, kw_only=True):
    """A priority that jobs name: those of a higher one are admitted first."""

    name: Annotated[KubernetesName, Meta(description="Name of the priority.", examples=["urgent"])]
    value: Annotated[
        int,
        Meta(
            ge=-1000000,
            le=1000000,
            description="The higher, the earlier. Jobs without a priority have 0.",
            examples=[1000],
        ),
    ]


class Preemption(Part, frozen=True, kw_only=True):
    """Which running jobs are stopped, and queued again, when another job needs their nodes."""

    within_queue: Annotated[
        Literal["never", "lower_priority", "lower_or_newer_equal_priority"],
        Meta(
            description="Jobs that give way to a waiting one of the same queue.",
            extra_json_schema={
                "enumDescriptions": {
                    "never": "None.",
                    "lower_priority": "Those of a lower priority.",
                    "lower_or_newer_equal_priority": "Those of a lower priority, or of the same but "
                    "submitted later.",
                }
            },
        ),
    ] = "lower_priority"
    reclaim: Annotated[
        Literal["never", "lower_priority", "any"],
        Meta(
            description="Jobs of other queues that give way when a queue needs its own nodes back.",
            extra_json_schema={
                "enumDescriptions": {
                    "never": "None: a queue waits until they end.",
                    "lower_priority": "Those of a lower priority than the waiting job.",
                    "any": "Any that runs on borrowed nodes.",
                }
            },
        ),
    ] = "any"


class Kueue(Chart, frozen=True, kw_only=True):
    """Kueue: jobs wait until there is room for all their pods.

    clusterprint creates one resource flavor per node pool, and one cluster queue whose quotas are the
    capacity of the pools, less what local queues have of their own.
    """

    version: (
        Annotated[
            ChartVersion,
            Meta(
                description="Chart version. Left out: the version that this release of clusterprint pins.",
                examples=["0.17.1"],
            ),
        ]
        | UnsetType
    ) = UNSET
    cluster_queue: Annotated[KubernetesName, Meta(description="Name of the queue that holds all quotas.")] = (
        "cluster"
    )
    local_queues: Annotated[
        tuple[LocalQueue, ...],
        Meta(
            description="Queues that jobs are submitted to. All without `quotas` use those of the cluster "
            "queue.",
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
        Meta(description="Which running jobs give way to waiting ones. Only with `priorities` or `quotas`."),
    ] = Preemption()
