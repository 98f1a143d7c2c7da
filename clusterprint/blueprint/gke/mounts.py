"""Volumes in the pods of a workload."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names
from clusterprint.blueprint.texts import NodePath, choice
from clusterprint.blueprint.volumes import VolumeName


class VolumeMount(Part, frozen=True, kw_only=True):
    """A volume of `storage.volumes`, as a folder in pods. Driver and permissions are set up automatically."""

    relations = (Names("GKE200", "volume", ("storage.volumes",), "volume"),)

    volume: Annotated[VolumeName, Meta(description="Name of the volume, as in `storage.volumes`.")]
    path: Annotated[
        NodePath | UnsetType,
        Meta(
            description="Mount point in the containers. Left out: `mount` of the volume.", examples=["/data"]
        ),
    ] = UNSET
    access: Annotated[
        Literal["read_write", "read_only"] | UnsetType,
        choice(
            description="Access of the containers. Left out: `access` of the volume.",
            values={
                "read_write": "Read and write.",
                "read_only": "Read only, even if the volume is writable.",
            },
        ),
    ] = UNSET


#: What a list of mounts looks like.
EXAMPLES = [[{"volume": "scratch", "path": "/data"}]]
