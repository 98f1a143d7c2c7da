"""Volumes in the pods of a workload."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import NodePath
from clusterprint.blueprint.volumes import VolumeName


class VolumeMount(Part, frozen=True, kw_only=True):
    """A volume of `storage.volumes`, as a folder in pods. Its rights and its driver follow from it."""

    volume: Annotated[VolumeName, Meta(description="Name of the volume, as in `storage.volumes`.")]
    path: (
        Annotated[
            NodePath,
            Meta(
                description="The folder in the containers. Left out: `mount` of the volume.",
                examples=["/data"],
            ),
        ]
        | UnsetType
    ) = UNSET
    access: (
        Annotated[
            Literal["read_write", "read_only"],
            Meta(
                description="What the containers may do with it. Left out: `access` of the volume.",
                extra_json_schema={
                    "enumDescriptions": {
                        "read_write": "Read and write.",
                        "read_only": "Read, though others may write.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET


#: What a list of mounts looks like.
EXAMPLES = [[{"volume": "scratch", "path": "/data"}]]
