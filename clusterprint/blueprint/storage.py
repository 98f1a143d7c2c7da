"""Storage for the data of nodes on Google Cloud."""

from typing import Annotated, ClassVar

from msgspec import Meta

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Relation, Unique, case
from clusterprint.blueprint.storage_classes import DiskClass, FileClass
from clusterprint.blueprint.volumes import KubernetesVolume, PrivateServices, VmVolume, VolumeName


class Storage(Part, frozen=True, kw_only=True):
    """Storage for the nodes' data."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("GCP109", "may_lose", ("storage.volumes", "storage.disk_pools"), "volume"),
    )

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

    relations: ClassVar[tuple[Relation, ...]] = (
        Unique(
            "VM172",
            "volumes",
            "a node can mount only one Parallelstore, and {item.name} is another",
            "create one that is as large as both, or use kind: lustre",
            ("kind",),
            case(kind="parallelstore"),
        ),
        Unique(
            "VM174",
            "volumes",
            "disk {item.disk} is attached to nodes twice",
            "list it once",
            ("disk", "zone"),
            case(kind="disk"),
        ),
    )

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
