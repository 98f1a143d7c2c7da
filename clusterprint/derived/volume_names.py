"""Names of volumes of machines: settings that Google Cloud cannot change in place make a new name.

Machines are described by a template that names their volumes, and a template is made before the one that it
replaces goes; Terraform then does the same with all that it refers to. Two of one name cannot be there at
once, so a replaced volume has another name. Pods find theirs by claims, which are recreated.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.volume_file_systems import DEFAULT_CONNECT, DEFAULT_PROTOCOL
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import names, volumes
from clusterprint.derived.run_names import checksummed


def of_machines(cluster: str, volume: GoogleVolume, zone: str) -> str:
    """Cloud name of a created volume; changing an immutable setting changes its checksum.

    Settings that can change in place (most sizes), or that are named by `zone`, are not covered. Shares of
    NetApp may have to be unique in their region.
    """
    name = names.volume(cluster, volume.name)
    said = {key: value for key, value in _FOR_GOOD[volume.kind](volume).items() if value}
    if volumes.is_zonal_netapp(volume):
        said["zone"] = zone
    return checksummed(name, said) if said else name


def _unless(value: Any, default: object) -> Any:
    return "" if value is UNSET or value == default else value


def _filestore(volume: GoogleVolume) -> dict[str, Any]:
    return {
        "tier": _unless(volume.tier, volumes.DEFAULT_TIERS["filestore"]),
        "protocol": _unless(volume.protocol, DEFAULT_PROTOCOL),
        "connect": _unless(volume.connect, DEFAULT_CONNECT),
        "source_backup": _unless(volume.source_backup, ""),
    }


def _lustre(volume: GoogleVolume) -> dict[str, Any]:
    return {"throughput": _unless(volumes.lustre_throughput(volume), volumes.DEFAULT_LUSTRE_THROUGHPUT)}


def _parallelstore(volume: GoogleVolume) -> dict[str, Any]:
    return {"size": _unless(volume.size_gb, catalog.parallelstore_tier().smallest)}


def _netapp(volume: GoogleVolume) -> dict[str, Any]:
    return {
        "tier": _unless(volume.tier, volumes.DEFAULT_TIERS["netapp"]),
        "protocol": _unless(volume.protocol, DEFAULT_PROTOCOL),
    }


def _disk(volume: GoogleVolume) -> dict[str, Any]:
    return {
        "type": _unless(volumes.disk_type(volume), volumes.DEFAULT_DISK_TYPES[volume.access]),
        "snapshot": _unless(volume.snapshot, ""),
    }


_FOR_GOOD: dict[str, Callable[[GoogleVolume], dict[str, Any]]] = {
    "filestore": _filestore,
    "lustre": _lustre,
    "parallelstore": _parallelstore,
    "netapp": _netapp,
    "disk": _disk,
}
