"""Plans for volumes on Google Cloud: file systems, the way to them, and disks that many nodes read."""

from typing import Literal

from clusterprint.plan.google import DeletionPolicy
from clusterprint.plan.part import PlanPart


class PrivateServicesPlan(PlanPart, frozen=True, kw_only=True):
    """Private service access of a network: the addresses of somebody's services in it, and the peering.

    `service` is whose services those are, `project` the network's. With `goes_with_network` nobody takes the
    peering away: the network that it belongs to is destroyed as well. The range is `protected` as what has
    addresses in it is.
    """

    project: str
    service: str
    name: str
    address: str
    prefix_length: int
    goes_with_network: bool
    protected: bool


class ServersFirewallPlan(PlanPart, frozen=True, kw_only=True):
    """A firewall rule that lets servers in the range of private services call their clients, at TCP `ports`.

    Without ports, at any. `key` is the kind of file system.
    """

    key: str
    name: str
    ports: tuple[int, ...]


class FileSystemPlan(PlanPart, frozen=True, kw_only=True):
    """A managed file system; `key` is the name of the volume. One that exists is not created."""

    key: str
    name: str
    create: bool
    location: str
    size_gb: int
    protected: bool


class FilestorePlan(FileSystemPlan, frozen=True, kw_only=True):
    """An instance of Filestore; of an existing one, only name and location are there.

    `connect_mode` is in the words of the provider. `source_backup` is the id of what it is filled from, or
    empty. `protected` refuses whatever would destroy it, `deletion_protection` is Filestore's own refusal.
    """

    tier: str
    deletion_protection: bool
    protocol: str
    share: str
    snapshots: tuple[str, ...]
    source_backup: str
    connect_mode: Literal["PRIVATE_SERVICE_ACCESS", "DIRECT_PEERING"]
    deletion_policy: DeletionPolicy
    kms_key: str = ""


class LustrePlan(FileSystemPlan, frozen=True, kw_only=True):
    """An instance of Managed Lustre; of an existing one, only name and location are there.

    Making it, or making it larger, has failed after `change_minutes`, and destroying it after
    `delete_minutes`.
    """

    filesystem: str
    throughput_mbps_per_tib: int
    deletion_policy: DeletionPolicy
    change_minutes: int
    delete_minutes: int
    kms_key: str = ""


class ParallelstorePlan(FileSystemPlan, frozen=True, kw_only=True):
    """An instance of Parallelstore; of an existing one, only name, location and `access_points` are there.

    Making it has failed after `change_minutes`, and destroying it after `delete_minutes`.
    """

    deployment_type: Literal["SCRATCH"]
    access_points: tuple[str, ...]
    deletion_policy: DeletionPolicy
    change_minutes: int
    delete_minutes: int


class LustreImportPlan(PlanPart, frozen=True, kw_only=True):
    """Objects below `path` of a bucket, of this blueprint or of somebody else's, that fill a created Lustre.

    A `script` has them imported into that of the volume `volume`, with `environment` and the bucket's name.
    """

    volume: str
    bucket: str
    path: str
    script: str
    environment: dict[str, str]


class LustreImportsPlan(PlanPart, frozen=True, kw_only=True):
    """All imports of a cluster; at least one.

    Google's own account of the service reads the buckets in its `role`. It is named by the number of
    `project`, at `agent`.
    """

    project: str
    agent: str
    role: str
    imports: tuple[LustreImportPlan, ...]


class NetappPlan(FileSystemPlan, frozen=True, kw_only=True):
    """A storage pool of NetApp Volumes with one volume that takes all of it; or `remote`, one that exists.

    `clients` are the ranges that may mount it, with commas between them. `pool_type` is empty where the level
    has one only, `throughput_mibps` 0 where none is bought.
    """

    remote: str
    service_level: str
    pool_type: str
    throughput_mibps: int
    protocol: Literal["NFSV3", "NFSV4"]
    share: str
    clients: str
    permissions: str
    deletion_policy: DeletionPolicy


class SharedDiskPlan(PlanPart, frozen=True, kw_only=True):
    """A disk that all nodes read, filled from a snapshot; 0 leaves its performance to its type."""

    key: str
    name: str
    zone: str
    type: str
    size_gb: int
    iops: int
    throughput_mbps: int
    snapshot: str
    protected: bool
    deletion_policy: DeletionPolicy
    kms_key: str = ""


class DiskPoolPlan(PlanPart, frozen=True, kw_only=True):
    """A storage pool of Hyperdisk that is created; `capacity` and `performance` say what is bought of them.

    Disks of Balanced have `iops`, None for others.
    """

    key: str
    name: str
    zone: str
    type: str
    size_gb: int
    throughput_mbps: int
    iops: int | None
    capacity: Literal["STANDARD", "ADVANCED"]
    performance: Literal["STANDARD", "ADVANCED"]
    protected: bool


class VolumesPlan(PlanPart, frozen=True, kw_only=True):
    """The volumes of a cluster, but buckets and the disks of single nodes.

    They are in the created network with the key `network`, or in `existing_network`, by its full path.
    """

    network: str
    existing_network: str
    private_services: PrivateServicesPlan | None
    netapp_services: PrivateServicesPlan | None
    firewalls: tuple[ServersFirewallPlan, ...]
    filestores: tuple[FilestorePlan, ...]
    lustres: tuple[LustrePlan, ...]
    parallelstores: tuple[ParallelstorePlan, ...]
    lustre_imports: LustreImportsPlan | None
    netapps: tuple[NetappPlan, ...]
    shared_disks: tuple[SharedDiskPlan, ...]
    disk_pools: tuple[DiskPoolPlan, ...] = ()
