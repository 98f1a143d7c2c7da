"""Shared storage on Azure, mounted on every machine of a cluster."""

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
    """A file share or blob container, mounted as a folder on every machine."""

    name: Annotated[ShareName, Meta(description="Name of the file share, or of the blob container.")]
    kind: Annotated[
        Literal["files_nfs", "files_smb", "blob_nfs"],
        Meta(
            description="Type of storage, and how it is mounted.",
            extra_json_schema={
                "enumDescriptions": {
                    "files_nfs": "Azure Files on SSD over NFS 4.1: a POSIX file system, the usual choice.",
                    "files_smb": "Azure Files over SMB, for shares that Windows uses as well.",
                    "blob_nfs": "A blob container over NFS 3, for large data sets that are mostly read.",
                }
            },
        ),
    ] = "files_nfs"
    mount: Annotated[NodePath, Meta(description="Mount point on every machine.")]
    access: Annotated[
        Literal["read_write", "read_only"],
        Meta(
            description="Access of the nodes.",
            extra_json_schema={
                "enumDescriptions": {
                    "read_write": "Read and write.",
                    "read_only": "Read only. The head can write to a created share, so that it can be "
                    "filled.",
                }
            },
        ),
    ] = "read_write"
    size_gb: Annotated[
        int,
        Meta(
            ge=100,
            le=102400,
            description="Size in GiB of a file share that is created; it can be increased later.",
        ),
    ] = 1024
    create: Annotated[
        bool,
        Meta(
            description="Create the share and its storage account, which this cluster then owns. With "
            "false, both must exist already."
        ),
    ] = True
    account: (
        Annotated[
            StorageAccountName,
            Meta(
                description="Storage account; its name must be globally unique. Left out: one account per "
                "share, named after cluster and share."
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
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse every change that would destroy the share or replace it by an empty one. To "
            "allow that, set this to false and list the share in `storage.may_lose`."
        ),
    ] = True
