"""`storage.volumes` on Azure: data that outlives machines, and where it appears on them."""

from functools import partial
from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import NetworkResourceName, ResourceGroupName
from clusterprint.blueprint.azure_lustre import LustreBlob, VolumeEncryption
from clusterprint.blueprint.azure_storage import ShareName, StorageAccountName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Needs, Refuses, Relation, Unique, case, only, when
from clusterprint.blueprint.texts import IPV4, NodePath, choice, looks_like

_only = partial(only, "AZ091", "volume")


_LUSTRE = (when("kind", "managed_lustre"), when("create"))


class AzureVolume(Part, frozen=True, kw_only=True):
    """A file share, a blob container or a Lustre file system, mounted as a folder on every machine."""

    relations: ClassVar[tuple[Relation, ...]] = (
        _only("deletion_protection", case(create=True)),
        _only("protocol", case(kind="azure_files")),
        _only("size_gb", case(kind=("azure_files", "managed_lustre"), create=True)),
        _only("account", case(kind=("azure_files", "blob_nfs"))),
        _only("resource_group", case(kind=("azure_files", "blob_nfs"), create=False)),
        _only("throughput_mbps_per_tib zone subnet blob", case(kind="managed_lustre", create=True)),
        _only("encryption", case(create=True)),
        _only("address", case(kind="managed_lustre", create=False)),
        Needs(
            "AZ064",
            when("create", False),
            when("account"),
            (when("kind", "azure_files", "blob_nfs"),),
            words="account",
        ),
        Needs(
            "AZ064",
            when("create", False),
            when("address"),
            (when("kind", "managed_lustre"),),
            words="address",
        ),
        Refuses("AZ062", "mount", "azure_folder"),
        Refuses("AZ113", "zone", "other", (when("/nodes.zone"),), (when("/nodes.zone"), *_LUSTRE)),
    )

    name: Annotated[
        ShareName, Meta(description="Name of the file share, the blob container or the file system.")
    ]
    kind: Annotated[
        Literal["azure_files", "blob_nfs", "managed_lustre"],
        choice(
            description="Storage service of the volume.",
            values={
                "azure_files": "Azure Files on SSD: home folders, code and results.",
                "blob_nfs": "A blob container over NFS 3, for large data sets that are mostly read.",
                "managed_lustre": "Azure Managed Lustre: scratch space for many nodes, up to hundreds of "
                "gigabytes per second.",
            },
        ),
    ]
    mount: Annotated[NodePath, Meta(description="Mount point on every machine.", examples=["/scratch"])]
    access: Annotated[
        Literal["read_write", "read_only"],
        choice(
            description="Access of the nodes.",
            values={
                "read_write": "Read and write.",
                "read_only": "Read only. The head can write to a created volume, so that it can be filled.",
            },
        ),
    ] = "read_write"
    create: Annotated[
        bool,
        Meta(
            description="Create the volume, which this cluster then owns. With false, it must exist already."
        ),
    ] = True
    protocol: Annotated[
        Literal["nfs", "smb"] | UnsetType,
        choice(
            description="Protocol of azure_files. Left out: nfs.",
            values={
                "nfs": "NFS 4.1: a POSIX file system, the usual choice.",
                "smb": "SMB, for shares that Windows uses as well.",
            },
        ),
    ] = UNSET
    size_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=100,
            le=1024000,
            description="Size of a created volume in GiB. Left out: 1024 for azure_files, the minimum for "
            "managed_lustre. A container grows as it is filled.",
            examples=[1024],
        ),
    ] = UNSET
    throughput_mbps_per_tib: Annotated[
        int | UnsetType,
        Meta(
            ge=40,
            le=500,
            description="Performance tier of a created managed_lustre, in MB/s per TiB: 40, 125, 250 or 500. "
            "Left out: 250. Cannot be changed later.",
            examples=[250],
        ),
    ] = UNSET
    zone: Annotated[
        Literal["1", "2", "3"] | UnsetType,
        choice(
            description="Availability zone of a created managed_lustre. Left out: that of the nodes, or 1.",
            values={
                "1": "Zone 1.",
                "2": "Zone 2.",
                "3": "Zone 3.",
            },
        ),
    ] = UNSET
    subnet: Annotated[
        NetworkResourceName | UnsetType,
        Meta(
            description="Subnet of the existing virtual network (`network.existing`) for the exclusive use "
            "of a created managed_lustre. In a network that clusterprint creates, the subnet is created as "
            "well.",
            examples=["lustre"],
        ),
    ] = UNSET
    blob: Annotated[
        LustreBlob | UnsetType,
        Meta(
            description="Blob container that a created managed_lustre is filled from, and exports to. Cannot "
            "be changed later.",
            examples=[
                {
                    "account": "mytrainingdata",
                    "container": "data",
                    "logging_container": "lustre-logs",
                    "resource_group": "data",
                }
            ],
        ),
    ] = UNSET
    encryption: Annotated[
        VolumeEncryption | UnsetType,
        Meta(description="Customer-managed key of a created volume. Left out: Microsoft's keys."),
    ] = UNSET
    account: Annotated[
        StorageAccountName | UnsetType,
        Meta(
            description="Storage account of azure_files and blob_nfs; its name must be globally unique. Left "
            "out: one account per volume, named after cluster and volume."
        ),
    ] = UNSET
    resource_group: Annotated[
        ResourceGroupName | UnsetType,
        Meta(description="Resource group of an existing storage account. Left out: the cluster's."),
    ] = UNSET
    address: Annotated[
        str | UnsetType,
        looks_like(
            IPV4,
            "the IPv4 address of a management server, such as 10.0.4.4",
            "10.0.4.4",
        ),
        Meta(description="Address of the management server (MGS) of an existing managed_lustre."),
    ] = UNSET
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse every change that would destroy the volume or replace it by an empty "
            "one. To allow that, set this to false and list the volume in `storage.may_lose`."
        ),
    ] = True


class AzureStorage(Part, frozen=True, kw_only=True):
    """Storage for the machines' data."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("AZ092", "may_lose", ("storage.volumes",), "volume"),
        Unique("AZ063", "volumes", "two volumes are called {item.name}"),
        Unique(
            "AZ063",
            "volumes",
            "storage account {item.account} is created twice",
            "name another account, or leave it out",
            ("account",),
            case(create=True),
        ),
        Unique(
            "AZ112",
            "volumes",
            "a cluster can create only one Lustre file system, and {item.name} would be a second one",
            "create one that is as large as both, or mount an existing one: create: false, address: IP",
            ("kind",),
            case(kind="managed_lustre", create=True),
        ),
    )

    volumes: Annotated[
        tuple[AzureVolume, ...],
        Meta(
            description="File shares, blob containers and Lustre file systems, created or existing, "
            "mounted on every machine.",
            examples=[[{"name": "data", "kind": "azure_files", "mount": "/mnt/data"}]],
        ),
    ] = ()
    may_lose: Annotated[
        tuple[ShareName, ...],
        Meta(
            description="Volumes whose data may be destroyed. Both are required: the name here, and "
            "`deletion_protection: false` on the volume.",
            examples=[["scratch"]],
        ),
    ] = ()
