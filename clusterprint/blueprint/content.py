"""Text and files that a blueprint carries to the nodes."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import LocalPath, NodePath


class Script(Part, frozen=True, kw_only=True):
    """A script, in place or in a file: exactly one of the two."""

    file: (
        Annotated[
            LocalPath,
            Meta(description="File beside the blueprint that holds the script.", examples=["./startup.sh"]),
        ]
        | UnsetType
    ) = UNSET
    inline: (
        Annotated[
            str,
            Meta(
                description="The script itself.",
                min_length=1,
                examples=["#!/bin/bash\nnvidia-smi\n"],
            ),
        ]
        | UnsetType
    ) = UNSET


class FileCopy(Part, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that is copied to each node."""

    source: Annotated[LocalPath, Meta(description="File or folder beside the blueprint.")]
    destination: Annotated[
        NodePath,
        Meta(
            description="Where it lands on each node. A folder's content lands in this folder; a file lands "
            "under this very path.",
            examples=["/usr/cp"],
        ),
    ]
