"""Text and files that are copied from the blueprint's folder to the nodes."""

import posixpath
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import ExactlyOne, Relation
from clusterprint.blueprint.texts import LocalPath, NodePath


class TextFile(Part, frozen=True, kw_only=True):
    """A text, inline or in a file: exactly one of the two. Each subclass says what the text is."""

    relations: ClassVar[tuple[Relation, ...]] = (ExactlyOne("BP220", ("file", "inline")),)

    #: What to call it in a message.
    noun: ClassVar[str]
    #: The descriptions of both fields, and an example of each.
    descriptions: ClassVar[tuple[str, str]]
    examples: ClassVar[tuple[str, str]]

    file: LocalPath | UnsetType = UNSET
    inline: str | UnsetType = UNSET

    def __init_subclass__(cls, **options: Any) -> None:
        (file, inline), (path, content) = cls.descriptions, cls.examples
        cls.__annotations__ |= {
            "file": Annotated[LocalPath | UnsetType, Meta(description=file, examples=[path])],
            "inline": Annotated[str | UnsetType, Meta(description=inline, min_length=1, examples=[content])],
        }
        super().__init_subclass__(**options)


class Script(TextFile, frozen=True, kw_only=True):
    """A script, inline or in a file: exactly one of the two."""

    noun = "script"
    descriptions = ("File beside the blueprint that holds the script.", "The script itself.")
    examples = ("./startup.sh", "#!/bin/bash\nnvidia-smi\n")


class CloudInitFile(TextFile, frozen=True, kw_only=True):
    """A cloud-init file (`#cloud-config`), inline or in a file: exactly one of the two."""

    noun = "cloud-init file"
    descriptions = ("File beside the blueprint that holds it.", "The file itself.")
    examples = ("./cloud-init.yaml", "#cloud-config\npackages: [htop]\n")


class LocalFiles(Part, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that goes to somewhere else."""

    #: A file in the folder, in the format of `.dockerignore`, that says what is left out.
    ignores: ClassVar[str] = ""

    source: Annotated[LocalPath, Meta(description="File or folder beside the blueprint.")]

    @property
    def landing(self) -> str:
        """Where it goes, to put before the names of its files."""
        return ""


class FileCopy(LocalFiles, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that the nodes can read."""

    destination: Annotated[
        NodePath | UnsetType,
        Meta(
            description="Destination path on each node. Left out: the file is only stored in the cluster's "
            "folder of the state bucket, under its own path.",
            examples=["/usr/cp"],
        ),
    ] = UNSET

    @property
    def landing(self) -> str:
        """Destination: an absolute path on each node, or a path below the cluster's files in the bucket."""
        if self.destination is not UNSET:
            return self.destination.rstrip("/")
        return posixpath.normpath(self.source).removeprefix(".")


_LANDING = "The content of a folder is copied into this folder; a file gets exactly this path."


class JobFile(FileCopy, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that is copied into the pods of a job."""

    destination: Annotated[
        NodePath,
        Meta(description=f"Destination path in each pod. {_LANDING}", examples=["/usr/cp"]),
    ]


class ProgramFile(FileCopy, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that is copied to each node for a program."""

    destination: Annotated[
        NodePath,
        Meta(description=f"Destination path on each node. {_LANDING}", examples=["/opt/hpl"]),
    ]
