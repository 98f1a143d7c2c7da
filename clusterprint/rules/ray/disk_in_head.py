from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Head
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("RAY081", severity=Severity.ERROR, source="Google Cloud: Hyperdisk, machine types", firm=True)
def disk_in_head(head: Head, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A disk is mounted in the head of Ray clusters.

    The head runs on the system pool, whose machines take no Hyperdisk.

    Mount disks in worker groups.
    """
    for mount, volume in known(head.mounts, lambda each: volume_of(each, context)):
        if volume is not None and volume.kind == "disk":
            yield Finding(
                f"volume {volume.name} is a disk, which the head cannot mount",
                context.at(mount, "volume"),
                also=(context.at(volume, "kind", text="this volume"),),
                help="mount it in ray.workers",
            )
