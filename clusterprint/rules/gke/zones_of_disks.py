from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.catalog import region_of
from clusterprint.derived import node_pools, volume_mounts, volumes
from clusterprint.rules.gke._mounts import again
from clusterprint.rules.gke._volume_zones import Placed, Together, mounted_in, together
from clusterprint.rules.google._disk_pools import elsewhere
from clusterprint.rules.google._places import is_known, nearer
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, listed, rule


@rule("GKE208", severity=Severity.ERROR)
def disk_in_other_zone(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    apart = (each for each in mounted_in(context) if _is_disk_apart(each, blueprint))
    for found in together(apart, lambda each: each.zones):
        zones = found.first.zones
        help_text = f"add zone: {zones[0]} to the volume" if len(zones) == 1 else ""
        yield _apart(found, "a disk", "disk", help_text, context)


def _is_disk_apart(placed: Placed, blueprint: KubernetesBlueprint) -> bool:
    volume = placed.mounting.volume
    shared = volume.kind == "disk" and not volumes.is_own_disk(volume)
    return shared and volume_mounts.zone(volume, blueprint) not in placed.zones


@rule("GKE209", severity=Severity.WARNING)
def file_system_in_other_zone(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    apart = (each for each in mounted_in(context) if _is_file_system_apart(each, blueprint))
    for found in together(apart, lambda each: each.zones):
        volume = found.first.mounting.volume
        help_text = nearer(volume, volume_mounts.zone(volume, blueprint), found.first.zones[0])
        yield _apart(found, "", "volume", help_text, context)


def _is_file_system_apart(placed: Placed, blueprint: KubernetesBlueprint) -> bool:
    volume = placed.mounting.volume
    # Of a disk, which cannot be attached elsewhere at all, another rule speaks.
    if volume.kind == "disk" or not volumes.is_zonal(volume):
        return False
    zone = volume_mounts.zone(volume, blueprint)
    # Zones that do not exist, or are in another region, are said by other rules.
    return zone not in placed.zones and region_of(zone) == blueprint.region and is_known(zone)


def _apart(
    found: Together, what: str, noun: str, help_text: str, context: Context[KubernetesBlueprint]
) -> Finding:
    """The finding of a volume that is in another zone than the pods that mount it."""
    (_, mount, volume), pool, zones = found.first
    place = " ".join(filter(None, ("is", what, "in", volume_mounts.zone(volume, context.blueprint))))
    return Finding(
        f"volume {volume.name} {place}; {found.who_runs} in {listed(zones, 'and')}",
        context.at(mount, "volume"),
        also=(
            context.at(volume, "zone" if given(volume.zone) else "name", text=f"the {noun}"),
            context.at(pool, "zones" if pool.zones else "name", text="the nodes"),
            *again(found.others, context),
        ),
        help=help_text,
    )


@rule("GKE433", severity=Severity.ERROR, firm=True)
def disk_pool_apart_from_nodes(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
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
