"""Decisions about volumes on Google Cloud that are no buckets."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.google import Terraform
from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import (
    google_provider,
    names,
    network_names,
    service_ranges,
    volume_names,
    volumes,
)
from clusterprint.errors import InternalError
from clusterprint.plan.google import DeletionPolicy
from clusterprint.plan.volumes import (
    FilestorePlan,
    LustrePlan,
    NetappPlan,
    ParallelstorePlan,
    PrivateServicesPlan,
    ServersFirewallPlan,
    SharedDiskPlan,
    VolumesPlan,
)
from clusterprint.resolve.disk_pools import resolve_disk_pools
from clusterprint.resolve.lustre_import import resolve_imports
from clusterprint.resolve.network import PRIMARY

# Where servers of Managed Lustre call their clients, as Google's steps for every kind of client have it.
# Instances made here use the first; the second was for GKE before 1.33.2-gke.4780000, which is refused.
_LUSTRE_PORTS = (988, 6988)

# The one file share of an instance of Filestore: Google allows 16 characters.
_SHARE = "share"

# A large file system takes longer than the provider's twenty minutes.
_LARGE_CHANGE, _LARGE_DELETE = 120, 60

_SERVICES = {
    "filestore": "file.googleapis.com",
    "lustre": "lustre.googleapis.com",
    "netapp": "netapp.googleapis.com",
    "parallelstore": "parallelstore.googleapis.com",
}

# What the provider of an existing one is never asked: it is only mounted.
_ONLY_MOUNTED = ("netapp", "parallelstore")

# Whose services a network is peered with: Google's own, and those that NetApp runs.
_GOOGLE, _NETAPP = "servicenetworking.googleapis.com", "netapp.servicenetworking.goog"

# Who may mount a volume of NetApp in a network that is somebody else's: whatever is private.
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")

# As Filestore has it: nodes let everybody write to the top folder of what is new. Nobody does that for pods,
# and Kubernetes gives no folder of NFS to the group of a pod.
_TOP_FOLDER, _TOP_FOLDER_OF_PODS = "0755", "0777"


class Place(NamedTuple):
    """Where the volumes of a cluster are.

    `network` is the name of an existing network in `network_project`; empty for one of our own. `taken` are
    the ranges that the cluster has for itself. Its clients are `pods`, or nodes themselves.
    """

    terraform: Terraform

    project: str
    cluster: str
    region: str
    zone: str
    network_project: str
    network: str
    taken: tuple[IPv4Network, ...]
    pods: bool
    kms_key: str = ""

    @property
    def existing_network(self) -> str:
        """The full path of an existing network; empty for one of our own."""
        return f"projects/{self.network_project}/global/networks/{self.network}" if self.network else ""


def services(storage: Storage) -> tuple[str, ...]:
    """The APIs that the volumes of a cluster need besides those that it needs anyway."""
    every = volumes.volumes(storage)
    needed = {_SERVICES[each.kind] for each in every if _is_looked_up(each)}
    needed |= {_SERVICES[each.kind] for each in volumes.file_classes(storage)}
    if any(volumes.in_private_services(storage)) or any(map(volumes.needs_netapp_services, every)):
        needed.add("servicenetworking.googleapis.com")
    return tuple(sorted(needed))


def _is_looked_up(volume: GoogleVolume) -> bool:
    """Whether an API makes it, or says where it is."""
    return volume.kind in _SERVICES and (volume.create or volume.kind not in _ONLY_MOUNTED)


def resolve_volumes(storage: Storage, place: Place) -> VolumesPlan | None:
    """The plan of what is not a bucket, with what claims need in the network; None without either."""
    every = volumes.volumes(storage)
    lustres = tuple(_lustre(each, place) for each in every if each.kind == "lustre")
    found = VolumesPlan(
        network="" if place.network else PRIMARY,
        existing_network=place.existing_network,
        private_services=_private_services(storage, place),
        netapp_services=_netapp_services(storage, place),
        firewalls=tuple(_firewalls(storage, place)),
        filestores=tuple(_filestore(each, place) for each in every if each.kind == "filestore"),
        lustres=lustres,
        lustre_imports=resolve_imports(every, lustres, place.project),
        parallelstores=tuple(_parallelstore(each, place) for each in every if each.kind == "parallelstore"),
        netapps=tuple(_netapp(each, place) for each in every if each.kind == "netapp"),
        shared_disks=tuple(_shared_disk(each, place) for each in every if volumes.is_filled_disk(each)),
        disk_pools=tuple(resolve_disk_pools(storage, place.cluster, place.zone)),
    )
    file_systems = (*found.filestores, *found.lustres, *found.parallelstores, *found.netapps)
    has_any = file_systems or found.shared_disks or found.disk_pools or found.private_services
    return found if has_any else None


def _private_services(storage: Storage, place: Place) -> PrivateServicesPlan | None:
    """An existing network mostly has them already, and there is only one peering for each."""
    if not any(volumes.in_private_services(storage)):
        return None
    wanted = storage.private_services
    if not (wanted.create if wanted.create is not UNSET else not place.network):
        return None
    cidr = service_ranges.google(storage, place.taken)
    users = [each for each in volumes.volumes(storage) if volumes.needs_private_services(each)]
    return _services_in(place, _GOOGLE, network_names.private_services(place.cluster), cidr, users)


def _netapp_services(storage: Storage, place: Place) -> PrivateServicesPlan | None:
    """NetApp's services have a peering of their own; that of an existing network is its owner's business."""
    users = list(filter(volumes.needs_netapp_services, volumes.volumes(storage)))
    if place.network or not users:
        return None
    cidr = service_ranges.netapp(storage, place.taken)
    return _services_in(place, _NETAPP, network_names.netapp_services(place.cluster), cidr, users)


def _services_in(
    place: Place, service: str, name: str, cidr: IPv4Network, users: Iterable[GoogleVolume]
) -> PrivateServicesPlan:
    return PrivateServicesPlan(
        project=place.network_project,
        service=service,
        name=name,
        address=str(cidr.network_address),
        prefix_length=cidr.prefixlen,
        goes_with_network=not place.network,
        protected=any(map(volumes.is_protected, users)),
    )


def _firewalls(storage: Storage, place: Place) -> Iterator[ServersFirewallPlan]:
    """An existing network has its owner's rules."""
    if place.network or _private_services(storage, place) is None:
        return
    kinds = {each.kind for each in volumes.in_private_services(storage)}
    if "lustre" in kinds:
        name = network_names.lustre_firewall(place.cluster)
        yield ServersFirewallPlan(key="lustre", name=name, ports=_LUSTRE_PORTS)
    if "parallelstore" in kinds:
        name = network_names.parallelstore_firewall(place.cluster)
        yield ServersFirewallPlan(key="parallelstore", name=name, ports=())


def deletion_policy(volume: GoogleVolume, terraform: Terraform) -> DeletionPolicy:
    """Kept in the state: unlike `prevent_destroy` it counts when a blueprint has lost the whole volume."""
    return "PREVENT" if volumes.is_protected(volume) and not google_provider.is_old(terraform) else ""


def _zone(volume: GoogleVolume, place: Place) -> str:
    return place.zone if volume.zone is UNSET else volume.zone


def _name(volume: GoogleVolume, place: Place) -> str:
    return _made(volume, place) if volume.instance is UNSET else volume.instance


def _made(volume: GoogleVolume, place: Place) -> str:
    """The name of a created volume."""
    if place.pods:
        return names.volume(place.cluster, volume.name)
    return volume_names.of_machines(place.cluster, volume, _zone(volume, place))


def _filestore(volume: GoogleVolume, place: Place) -> FilestorePlan:
    tier = volumes.filestore_tier(volume)
    if tier is None:
        raise InternalError(f"volume {volume.name} passed validation, but its tier is not known")
    return FilestorePlan(
        key=volume.name,
        name=_name(volume, place),
        create=volume.create,
        location=_zone(volume, place) if tier.zonal else place.region,
        tier=tier.api,
        deletion_protection=volumes.is_protected(volume) and tier.deletion_protection,
        protocol="NFS_V4_1" if volume.protocol == "nfs_v4_1" else "NFS_V3",
        share=_SHARE,
        snapshots=volume.snapshots,
        source_backup="" if volume.source_backup is UNSET else volume.source_backup,
        size_gb=volumes.size_gib(volume),
        connect_mode="DIRECT_PEERING" if volume.connect == "direct" else "PRIVATE_SERVICE_ACCESS",
        protected=volumes.is_protected(volume),
        deletion_policy=deletion_policy(volume, place.terraform),
        kms_key=place.kms_key,
    )


def _lustre(volume: GoogleVolume, place: Place) -> LustrePlan:
    return LustrePlan(
        key=volume.name,
        name=_name(volume, place),
        create=volume.create,
        location=_zone(volume, place),
        filesystem=volumes.filesystem_name(volume),
        size_gb=volumes.size_gib(volume),
        throughput_mbps_per_tib=volumes.lustre_throughput(volume),
        protected=volumes.is_protected(volume),
        deletion_policy=deletion_policy(volume, place.terraform),
        change_minutes=_LARGE_CHANGE,
        delete_minutes=_LARGE_DELETE,
        kms_key=place.kms_key,
    )


def _parallelstore(volume: GoogleVolume, place: Place) -> ParallelstorePlan:
    return ParallelstorePlan(
        key=volume.name,
        name=_name(volume, place),
        create=volume.create,
        location=_zone(volume, place),
        size_gb=volumes.size_gib(volume),
        # The only documented one of two that the provider accepts.
        deployment_type="SCRATCH",
        access_points=volume.access_points,
        protected=volumes.is_protected(volume),
        deletion_policy=deletion_policy(volume, place.terraform),
        change_minutes=_LARGE_CHANGE,
        delete_minutes=_LARGE_DELETE,
    )


def _netapp(volume: GoogleVolume, place: Place) -> NetappPlan:
    tier = volumes.netapp_tier(volume)
    if tier is None:
        raise InternalError(f"volume {volume.name} passed validation, but its service level is not known")
    name = _made(volume, place)
    return NetappPlan(
        key=volume.name,
        name=name,
        create=volume.create,
        remote="" if volume.export is UNSET else volume.export,
        location=_zone(volume, place) if volumes.is_zonal_netapp(volume) else place.region,
        service_level=tier.api,
        pool_type=tier.type,
        throughput_mibps=0 if volume.throughput_mbps is UNSET else volume.throughput_mbps,
        protocol="NFSV4" if volume.protocol == "nfs_v4_1" else "NFSV3",
        # Unique in its region: another cluster may have a volume of this name.
        share=name,
        size_gb=volumes.size_gib(volume),
        clients=",".join(_PRIVATE if place.network else map(str, place.taken)),
        permissions=_TOP_FOLDER_OF_PODS if place.pods else _TOP_FOLDER,
        protected=volumes.is_protected(volume),
        deletion_policy=deletion_policy(volume, place.terraform),
    )


def _shared_disk(volume: GoogleVolume, place: Place) -> SharedDiskPlan:
    return SharedDiskPlan(
        key=volume.name,
        name=_made(volume, place),
        zone=_zone(volume, place),
        type=volumes.disk_type(volume),
        size_gb=0 if volume.size_gb is UNSET else volume.size_gb,
        iops=0 if volume.iops is UNSET else volume.iops,
        throughput_mbps=0 if volume.throughput_mbps is UNSET else volume.throughput_mbps,
        snapshot="" if volume.snapshot is UNSET else volume.snapshot,
        protected=volumes.is_protected(volume),
        deletion_policy=deletion_policy(volume, place.terraform),
        kms_key=place.kms_key,
    )
