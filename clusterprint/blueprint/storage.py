"""Storage for the data of nodes on Google Cloud."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names
from clusterprint.blueprint.storage_classes import DiskClass, FileClass
from clusterprint.blueprint.texts import BucketName, NodePath
from clusterprint.blueprint.volume_buckets import Location
from clusterprint.blueprint.volumes import KubernetesVolume, PrivateServices, VmVolume, VolumeName


class Bucket(Part, frozen=True, kw_only=True):
    """A Cloud Storage bucket that the nodes can use."""

    name: Annotated[BucketName, Meta(description="Name of the bucket, without gs://.")]
    mount: (
        Annotated[NodePath, Meta(description="Mount point on the nodes. Left out: not mounted.")] | UnsetType
    ) = UNSET
    access: Annotated[
        Literal["read_write", "read_only"],
        Meta(
            description="Access of the nodes to its objects.",
            extra_json_schema={
                "enumDescriptions": {
                    "read_write": "Read, write and delete objects.",
                    "read_only": "Read objects.",
                }
            },
        ),
    ] = "read_write"
    create: Annotated[
        bool,
        Meta(
            description="Create the bucket, which this cluster then owns. With false, it must exist already."
        ),
    ] = False
    location: (
        Annotated[Location, Meta(description="Location of a created bucket. Left out: the cluster's region.")]
        | UnsetType
    ) = UNSET
    storage_class: Annotated[
        Literal["standard", "nearline", "coldline", "archive"],
        Meta(
            description="Storage class of a created bucket.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "For data in use.",
                    "nearline": "For data read about once a month.",
                    "coldline": "For data read about once a quarter.",
                    "archive": "For data read less than once a year.",
                }
            },
        ),
    ] = "standard"
    force_destroy: Annotated[
        bool,
        Meta(
            description="When the cluster is destroyed, delete a created bucket even if it still holds "
            "objects. With false, Terraform refuses until the bucket is empty."
        ),
    ] = False


class VmBucket(Bucket, frozen=True, kw_only=True):
    """A Cloud Storage bucket that the nodes can use, and how it is mounted."""

    profile: (
        Annotated[
            Literal["training", "checkpoints", "serving"],
            Meta(
                description="Usage of a mounted bucket, by which Cloud Storage FUSE sets its caches. "
                "Left out: the defaults of Cloud Storage FUSE.",
                extra_json_schema={
                    "enumDescriptions": {
                        "training": "Training data that is read completely, many times.",
                        "checkpoints": "Large files that are written once and rarely read.",
                        "serving": "Models that many nodes load once, in parallel.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET


class Storage(Part, frozen=True, kw_only=True):
    """Storage for the nodes' data."""

    relations = (Names("GCP109", "may_lose", ("storage.volumes", "storage.disk_pools"), "volume"),)

    buckets: Annotated[
        tuple[Bucket, ...],
        Meta(
            description="Cloud Storage buckets, existing or created.",
            examples=[[{"name": "my-bucket", "create": True}]],
        ),
    ] = ()
    disk_pools: Annotated[
        tuple[DiskPool, ...],
        Meta(
            description="Hyperdisk storage pools, created or existing, for volumes of kind disk, boot "
            "disks and storage classes.",
            examples=[[{"name": "fast", "size_gb": 10240, "throughput_mbps": 1024, "iops": 10000}]],
        ),
    ] = ()
    may_lose: Annotated[
        tuple[VolumeName, ...],
        Meta(
            description="Volumes and pools whose data may be destroyed. Both are required: the name here, "
            "and `deletion_protection: false` on the volume or pool.",
            examples=[["scratch"]],
        ),
    ] = ()
    private_services: Annotated[
        PrivateServices,
        Meta(
            description="Private service access of the network, shared by its managed file systems.",
            examples=[{"cidr": "10.100.0.0/20"}],
        ),
    ] = PrivateServices()


class VmStorage(Storage, frozen=True, kw_only=True):
    """Data that virtual machines work on."""

    buckets: Annotated[
        tuple[VmBucket, ...],
        Meta(
            description="Cloud Storage buckets, existing or created.",
            examples=[[{"name": "my-bucket", "mount": "/mnt/data"}]],
        ),
    ] = ()
    volumes: Annotated[
        tuple[VmVolume, ...],
        Meta(
            description="File systems, buckets and disks, created or existing, mounted on every node.",
            examples=[[{"name": "home", "kind": "filestore", "mount": "/home", "size_gb": 2560}]],
        ),
    ] = ()


class KubernetesStorage(Storage, frozen=True, kw_only=True):
    """Storage of the workloads' data."""

    volumes: Annotated[
        tuple[KubernetesVolume, ...],
        Meta(
            description="File systems, buckets and disks, created or existing, which workloads mount by "
            "name.",
            examples=[[{"name": "home", "kind": "filestore", "size_gb": 2560}]],
        ),
    ] = ()
    disk_classes: Annotated[
        tuple[DiskClass, ...],
        Meta(
            description="Storage classes, by which any manifest in the cluster can claim disks.",
            examples=[[{"name": "fast", "iops": 7000, "throughput_mbps": 250}]],
        ),
    ] = ()
    file_classes: Annotated[
        tuple[FileClass, ...],
        Meta(
            description="Storage classes, by which any manifest in the cluster can claim file systems.",
            examples=[[{"name": "shared", "kind": "filestore"}]],
        ),
    ] = ()
