"""Text and files that a blueprint carries to the nodes."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import LocalPath, NodePath


class TextFile(Part, frozen=True, kw_only=True):
    """A text, in place or in a file: exactly one of the two. Each subclass says what the text is."""

    #: What to call it in a message.
    noun: ClassVar[str]

    file: Annotated[LocalPath, Meta(description="File beside the blueprint that holds it.")] | UnsetType = (
        UNSET
    )
    inline: Annotated[str, Meta(description="The text itself.", min_length=1)] | UnsetType = UNSET


class Script(TextFile, frozen=True, kw_only=True):
    """A script, in place or in a file: exactly one of the two."""

    noun = "script"

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
