from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import node_pools, volumes
from clusterprint.rules.gke._mounts import again
from clusterprint.rules.gke._volume_zones import mounted_in, together
from clusterprint.rules.google._disk_pools import elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, listed, rule


@rule("GKE433", severity=Severity.ERROR, source="Google Cloud: GKE, Hyperdisk Storage Pools", firm=True)
def disk_pool_apart_from_nodes(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """Disks of nodes or pods are in a disk pool of another zone.

    A disk pool is in one zone, and so are the disks in it and the nodes that have them: boot disks fail, and
    pods wait forever for a node.

    Put nodes and disk pool into one zone.
    """
    usual = node_pools.default_zone(blueprint)
    for group, zones in known(blueprint.node_pools, lambda each: node_pools.zones(blueprint, each)):
        for pool, zone in elsewhere(group.boot_disk.pool, zones, usual, context):
            yield Finding(
                f"disk pool {pool.name} is in {zone}, "
                f"but nodes of {group.name} are in {listed(zones, 'and')}",
                context.at(group.boot_disk, "pool"),
                also=(context.at(pool, "name", text="the disk pool"),),
                help="put nodes and disk pool into one zone",
            )
    own = (each for each in mounted_in(context) if volumes.is_own_disk(each.mounting.volume))
    for found in together(own, lambda each: each.zones):
        (_, mount, volume), _, zones = found.first
        for pool, zone in elsewhere(volume.pool, zones, usual, context):
            yield Finding(
                f"volume {volume.name} is created in {zone}; {found.who_runs} in {listed(zones, 'and')}",
                context.at(mount, "volume"),
                also=(context.at(pool, "name", text="the disk pool"), *again(found.others, context)),
                help="put nodes and disk pool into one zone",
            )
