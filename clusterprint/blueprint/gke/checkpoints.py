"""Checkpoints in the memory of nodes, which GKE copies to other nodes and to a bucket."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.gke.texts import PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names
from clusterprint.blueprint.texts import NodePath
from clusterprint.blueprint.volumes import VolumeName


class Checkpoints(Part, frozen=True, kw_only=True):
    """Multi-tier checkpointing: jobs save in the memory of their nodes, often and fast.

    GKE copies what they save to other nodes and, less often, to a bucket, and brings it back when a job
    starts again: from the node itself, from another one, or from the bucket. JobSets say with `checkpoints`
    where they save.
    """

    relations = (
        Names("GKE390", "volume", ("storage.volumes",), "volume"),
        Names("GKE392", "node_pools", ("node_pools",), "node pool"),
    )

    volume: Annotated[
        VolumeName,
        Meta(
            description="The bucket for copies: a volume of `storage.volumes`, with a hierarchical "
            "namespace.",
            examples=["ckpt"],
        ),
    ]
    memory_gb: Annotated[
        int,
        Meta(
            ge=1,
            le=4096,
            description="Memory of each node for checkpoints, in GiB: twice the size of a node's "
            "checkpoint, plus 15 percent.",
            examples=[64],
        ),
    ]
    node_pools: Annotated[
        tuple[PoolName, ...],
        Meta(
            description="Pools whose nodes keep checkpoints. Empty: all with GPUs or TPUs.",
            examples=[["slices"]],
        ),
    ] = ()


CheckpointFolder = Annotated[
    NodePath,
    Meta(
        description="Folder of the pods for checkpoints, in the memory of their nodes; GKE copies it to "
        "other nodes and to a bucket. Requires `workloads.checkpoints`. Left out: none.",
        examples=["/checkpoints"],
    ),
]
