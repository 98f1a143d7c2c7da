from clusterprint import catalog
from clusterprint.blueprint.machine_disks import PooledBootDisk
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.volumes import GoogleVolume, VmVolume
from clusterprint.catalog import region_of
from clusterprint.derived import node_groups, volumes
from clusterprint.rules.google._disk_pools import elsewhere
from clusterprint.rules.google._hyperdisks import shared
from clusterprint.rules.google._places import is_known, nearer
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, listed, rule


@rule("VM170", severity=Severity.ERROR, firm=True)
def node_disk_goes_with_node(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if not volumes.is_own_disk(volume):
        return
    if volume.zone is not UNSET:
        yield Finding(
            f"zone does nothing for volume {volume.name}: each node has a disk of its own, in its own zone",
            context.at(volume, "zone"),
            help=f"remove zone, or make it one disk that all nodes read: {shared(volume)}",
        )
    if volume.deletion_protection:
        yield Finding(
            f"each node has a disk {volume.name} of its own, which is deleted with the node",
            context.at(volume, "name"),
            help=f"add deletion_protection: false here, and may_lose: [{volume.name}] to storage",
        )


@rule("VM176", severity=Severity.WARNING)
def shared_disk_too_slow(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if not volumes.is_filled_disk(volume):
        return
    known, taken = catalog.disk_type(volumes.disk_type(volume)), volumes.provisioned(volume)
    # Without a size, only what is written is known.
    has = volume.throughput_mbps if given(volume.throughput_mbps) else taken.mibps if taken else 0
    nodes = sum(each.count for each in node_groups.groups(context.blueprint))
    if known is None or not has or (needed := known.mibps_for(nodes)) <= has:
        return
    is_sold = needed <= known.mibps_of(volumes.size_gib(volume)).most
    yield Finding(
        f"{nodes} nodes read volume {volume.name}, which has {has:,} MiB/s; they require {needed:,}",
        context.at(volume, "throughput_mbps" if given(volume.throughput_mbps) else "name"),
        help=f"set throughput_mbps: {needed}" if is_sold else "add size_gb and throughput_mbps",
    )


@rule("VM201", severity=Severity.ERROR, firm=True)
def disk_pool_in_other_zone(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    zones = node_groups.zones(blueprint, nodes)
    disks: list[PooledBootDisk | GoogleVolume] = [
        nodes.boot_disk,
        *(each for each in blueprint.storage.volumes if each.kind == "disk"),
    ]
    for disk in disks:
        for pool, zone in elsewhere(disk.pool, zones, blueprint.zone or "", context):
            yield Finding(
                f"disk pool {pool.name} is in {zone}, "
                f"but nodes with disks in it are in {listed(zones, 'and')}",
                context.at(disk, "pool"),
                also=(
                    context.at(pool, "name", text="the disk pool"),
                    context.at(nodes, "machine_type", text="these nodes"),
                ),
                help="put nodes and disk pool into one zone",
            )


@rule("VM175", severity=Severity.WARNING)
def volume_in_other_zone(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if volume.kind == "disk" or not volumes.is_zonal(volume):
        return
    blueprint = context.blueprint
    zone = volume.zone if given(volume.zone) else blueprint.zone
    if region_of(zone) != blueprint.region or not is_known(zone):
        return  # said by other rules
    groups = node_groups.groups(blueprint)
    places = tuple(dict.fromkeys(zone for each in groups for zone in node_groups.zones(blueprint, each)))
    if places and zone not in places:
        yield Finding(
            f"volume {volume.name} is in {zone}; nodes are in {listed(places, 'and')}",
            context.at(volume, "zone" if given(volume.zone) else "name"),
            also=(context.at(groups[0], "machine_type", text="the nodes"),),
            help=nearer(volume, zone, places[0]),
        )
