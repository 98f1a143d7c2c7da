from clusterprint.blueprint.machine_disks import PooledBootDisk
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import node_groups
from clusterprint.rules.google._disk_pools import elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule


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
