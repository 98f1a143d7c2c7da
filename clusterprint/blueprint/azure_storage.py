"""Shared storage on Azure that every machine of a cluster mounts."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import ResourceGroupName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import NodePath, looks_like

ShareName = Annotated[
    str,
    looks_like(
        "^[a-z0-9](-?[a-z0-9]){2,62}$",
        "a share or container name: 3 to 63 lower-case letters, digits and single hyphens, starting and "
        "ending with a letter or digit",
        "data",
    ),
]

StorageAccountName = Annotated[
    str,
    looks_like(
        "^[a-z0-9]{3,24}$",
        "the name of a storage account: 3 to 24 lower-case letters and digits",
        "mytrainingdata",
    ),
]


class Share(Part, frozen=True, kw_only=True):
    """A file share or a container that appears as a folder on every machine."""

    name: Annotated[ShareName, Meta(description="Name of the file share, or of the blob container.")]
    kind: Annotated[
        Literal["files_nfs", "files_smb", "blob_nfs"],
        Meta(
            description="What it is and how it is mounted.",
            extra_json_schema={
                "enumDescriptions": {
                    "files_nfs": "Azure Files on SSD by NFS 4.1: a POSIX file system, the usual choice.",
                    "files_smb": "Azure Files by SMB, for shares that Windows uses as well.",
                    "blob_nfs": "A Blob container by NFS 3: large data sets, mostly read.",
                }
            },
        ),
    ] = "files_nfs"
    mount: Annotated[NodePath, Meta(description="Folder on every machine where it appears.")]
    access: Annotated[
        Literal["read_write", "read_only"],
        Meta(
            description="How the machines mount it.",
            extra_json_schema={
                "enumDescriptions": {"read_write": "To read and write.", "read_only": "Only to read."}
            },
        ),
    ] = "read_write"
    size_gb: Annotated[
        int,
        Meta(ge=100, le=102400, description="Size of a file share that is created; it can grow later."),
    ] = 1024
    create: Annotated[
        bool,
        Meta(
            description="Whether this cluster creates (and owns) the share and its storage account, or both "
            "exist already."
        ),
    ] = True
    account: (
        Annotated[
            StorageAccountName,
            Meta(
                description="Storage account. No two in the world have one name. Left out: one of the "
                "cluster's own, for each share, with a name made from those of cluster and share."
            ),
        ]
        | UnsetType
    ) = UNSET
    resource_group: (
        Annotated[
            ResourceGroupName,
            Meta(description="Resource group of an existing storage account. Left out: the cluster's."),
        ]
        | UnsetType
    ) = UNSET


class AzureStorage(Part, frozen=True, kw_only=True):
    """Data that the machines work on."""

    shares: Annotated[
        tuple[Share, ...], Meta(description="File shares and containers, existing or created.")
    ] = ()
