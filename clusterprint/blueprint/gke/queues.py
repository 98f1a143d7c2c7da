"""Job queues with Kueue."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ChartVersion
from clusterprint.blueprint.gke.texts import KubernetesName
from clusterprint.blueprint.part import Part


class LocalQueue(Part, frozen=True, kw_only=True):
    """A queue for the jobs of a namespace."""

    name: Annotated[
        KubernetesName, Meta(description="Name of the queue, which jobs refer to.", examples=["default"])
    ]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of its jobs.")] = "default"


class Kueue(Chart, frozen=True, kw_only=True):
    """Kueue: jobs wait until there is room for all their pods.

    clusterprint creates one resource flavor per node pool, and one cluster queue whose quotas are the
    capacity of the pools.
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
            description="Queues that jobs are submitted to. All use the quotas of the cluster queue.",
            min_length=1,
        ),
    ] = (LocalQueue(name="default"),)
