from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import volume_mounts, volumes
from clusterprint.rules.gke._mounts import again
from clusterprint.rules.gke._volume_zones import Placed, mounted_in, together
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("GKE208", severity=Severity.ERROR, source="Google Cloud: Hyperdisk, attaching disks")
def disk_in_other_zone(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A disk that all nodes read is not in the zone of the nodes.

    A disk is in one zone, and only machines of that zone can attach it: pods that mount it wait forever for a
    node elsewhere.

    Give the volume the zone of the pool, or mount it on nodes in its zone.
    """
    apart = (each for each in mounted_in(context) if _is_apart(each, blueprint))
    for found in together(apart, lambda each: each.zones):
        (_, mount, volume), pool, zones = found.first
        zone = volume_mounts.zone(volume, blueprint)
        yield Finding(
            f"volume {volume.name} is a disk in {zone}; {found.who_runs} in {listed(zones, 'and')}",
            context.at(mount, "volume"),
            also=(
                context.at(volume, "zone" if given(volume.zone) else "name", text="the disk"),
                context.at(pool, "zones" if pool.zones else "name", text="the nodes"),
                *again(found.others, context),
            ),
            help=f"add zone: {zones[0]} to the volume" if len(zones) == 1 else "",
        )


def _is_apart(placed: Placed, blueprint: KubernetesBlueprint) -> bool:
    volume = placed.mounting.volume
    shared = volume.kind == "disk" and not volumes.is_own_disk(volume)
    return shared and volume_mounts.zone(volume, blueprint) not in placed.zones
