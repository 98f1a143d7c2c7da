from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.catalog import region_of
from clusterprint.derived import volume_mounts, volumes
from clusterprint.rules.gke._mounts import again
from clusterprint.rules.gke._volume_zones import Placed, mounted_in, together
from clusterprint.rules.google._places import is_known, nearer
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("GKE209", severity=Severity.WARNING)
def file_system_in_other_zone(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    apart = (each for each in mounted_in(context) if _is_apart(each, blueprint))
    for found in together(apart, lambda each: each.zones):
        (_, mount, volume), pool, zones = found.first
        zone = volume_mounts.zone(volume, blueprint)
        yield Finding(
            f"volume {volume.name} is in {zone}; {found.who_runs} in {listed(zones, 'and')}",
            context.at(mount, "volume"),
            also=(
                context.at(volume, "zone" if given(volume.zone) else "name", text="the volume"),
                context.at(pool, "zones" if pool.zones else "name", text="the nodes"),
                *again(found.others, context),
            ),
            help=nearer(volume, zone, zones[0]),
        )


def _is_apart(placed: Placed, blueprint: KubernetesBlueprint) -> bool:
    volume = placed.mounting.volume
    # Of a disk, which cannot be attached elsewhere at all, another rule speaks.
    if volume.kind == "disk" or not volumes.is_zonal(volume):
        return False
    zone = volume_mounts.zone(volume, blueprint)
    # Zones that do not exist, or are in another region, are said by other rules.
    return zone not in placed.zones and region_of(zone) == blueprint.region and is_known(zone)
