"""Disks, local SSDs and addresses of machines of Google Cloud, which are counted by themselves."""

from collections.abc import Iterator, Mapping
from typing import Any

from clusterprint import catalog
from clusterprint.derived.machines import DataDisk, Disk
from clusterprint.review.delta import blocks, get, whole

_LOCAL_SSD_GB = 375


def disks(config: Mapping[str, Any]) -> tuple[Disk, ...]:
    """The disks of a machine, of a template or of the nodes of a pool; local ones are not among them."""
    return tuple(_disks(config))


def _disks(config: Mapping[str, Any]) -> Iterator[Disk]:
    if isinstance(config.get("disk_size_gb"), int):
        pooled = bool(config.get("storage_pools"))
        yield Disk(str(config.get("disk_type", "pd-standard")), config["disk_size_gb"], pooled)
    for number, each in enumerate(blocks(config, "disk")):
        if each.get("type") != "SCRATCH" and isinstance(each.get("disk_size_gb"), int):
            # machines boot from the first
            data = _data_disk(each) if number and not each.get("boot") and not each.get("source") else None
            pooled = bool(each.get("storage_pool"))
            yield Disk(str(each.get("disk_type", "pd-standard")), each["disk_size_gb"], pooled, data)
    for each in blocks(config, "boot_disk.initialize_params"):
        if isinstance(each.get("size"), int):
            yield Disk(str(each.get("type", "pd-standard")), each["size"], bool(each.get("storage_pool")))


def _data_disk(block: Mapping[str, Any]) -> DataDisk:
    return DataDisk(
        str(block.get("device_name") or "data"),
        whole(block.get("provisioned_iops")),
        whole(block.get("provisioned_throughput")),
    )


def local_ssd_gb(machine_type: str, config: Mapping[str, Any]) -> int:
    """The gigabytes of local SSDs of one machine: those that come with it, or those that are asked for."""
    machine = catalog.machine(machine_type)
    if machine and machine.local_ssd.mode == "bundled":
        return machine.local_ssd.total_gib
    asked: int = sum(each.get("type") == "SCRATCH" for each in blocks(config, "disk"))
    asked += len(blocks(config, "scratch_disk"))
    for place in ("ephemeral_storage_local_ssd_config", "local_nvme_ssd_block_config"):
        count = get(config, f"{place}.local_ssd_count", 0)
        asked += count if isinstance(count, int) else 0
    return asked * _LOCAL_SSD_GB


def external_addresses(config: Mapping[str, Any]) -> int:
    """How many addresses of the internet a machine has."""
    return sum("access_config" in each for each in blocks(config, "network_interface"))


def reservations(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The reservations that a machine may use, by their names or links."""
    values = get(config, "reservation_affinity.values") or get(
        config, "reservation_affinity.specific_reservation.values", []
    )
    return tuple(each for each in values if isinstance(each, str)) if isinstance(values, list) else ()


def zones(*values: Mapping[str, Any]) -> tuple[str, ...]:
    """The zones that the first of several resources names."""
    for each in values:
        named = get(each, "node_locations") or get(each, "distribution_policy_zones")
        # A plan is somebody else's text: what should be a list may be anything.
        named = named if isinstance(named, list) and named else [get(each, "zone")]
        found = [str(place).rpartition("/")[2] for place in named if place and "${" not in str(place)]
        if found:
            return tuple(found)
    return ()
