"""Queues of jobs, run by Kueue."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ChartVersion
from clusterprint.blueprint.gke.texts import KubernetesName
from clusterprint.blueprint.part import Part


class LocalQueue(Part, frozen=True, kw_only=True):
    """Where the jobs of a namespace are submitted to."""

    name: Annotated[
        KubernetesName, Meta(description="Name of the queue, as jobs name it.", examples=["default"])
    ]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of its jobs.")] = "default"


class Kueue(Chart, frozen=True, kw_only=True):
    """Kueue: jobs wait until there is room for all of their pods.

    A flavor for each node pool and one cluster queue, whose quotas are what the pools can hold, are made
    from the blueprint.
    """

    version: (
        Annotated[
            ChartVersion,
            Meta(
                description="Version of the chart. Left out: the one that is pinned here.",
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
        Meta(description="Queues that jobs are submitted to; all draw from the cluster queue.", min_length=1),
    ] = (LocalQueue(name="default"),)
