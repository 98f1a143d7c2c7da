from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.catalog import region_of
from clusterprint.derived import volume_mounts, volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._volume_zones import mounted_in
from clusterprint.rules.google._given import given
from clusterprint.rules.google._places import is_known
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import listed

_FILE_SYSTEMS = ("filestore", "lustre", "netapp", "parallelstore")


@rule("GKE209", severity=Severity.WARNING, source="Google Cloud: best practices for Managed Lustre on GKE")
def file_system_in_other_zone(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A file system of one zone is mounted by nodes of another.

    It works, but each access crosses zones: it is slower, and every gigabyte is billed.

    Give the volume the zone of the pool.
    """
    for (workload, mount, volume), pool, zones in mounted_in(context):
        if volume.kind not in _FILE_SYSTEMS or not volume.create or not volumes.is_zonal(volume):
            continue
        zone = volume_mounts.zone(volume, blueprint)
        if region_of(zone) != blueprint.region or not is_known(zone):
            continue  # said by other rules
        if zone not in zones:
            yield Finding(
                f"volume {volume.name} is in {zone}; {workload.noun} runs in {listed(zones, 'and')}",
                context.at(mount, "volume"),
                also=(
                    context.at(volume, "zone" if given(volume.zone) else "name", text="the file system"),
                    context.at(pool, "zones" if pool.zones else "name", text="the nodes"),
                ),
                help=f"set zone: {zones[0]} in the volume",
            )
