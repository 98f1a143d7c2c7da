from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.blueprint.volumes import KubernetesVolume
from clusterprint.rules.google._disk_limits import Asked, bought
from clusterprint.rules.google._hyperdisks import shared
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE211", severity=Severity.ERROR, firm=True)
def setting_of_own_disks(
    volume: KubernetesVolume, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    if volume.kind != "disk" or volume.access == "read_only":
        return
    if not volume.create:
        yield Finding(
            f"volume {volume.name} is an existing disk that pods would write to",
            context.at(volume, "create"),
            help="add access: read_only; for data that pods write, use kind filestore, lustre or bucket",
        )
        return
    for key in ("zone", "deletion_protection", "snapshot"):
        if context.wrote(volume, key):
            yield Finding(
                f"{key} does nothing for volume {volume.name}: each pod has its own disk, deleted with it",
                context.at(volume, key),
                help=f"remove {key}, or make it one disk that all pods read: {shared(volume)}",
            )


@rule("GKE432", severity=Severity.ERROR)
def disk_class_setting_not_of_type(disks: DiskClass, context: Context) -> Iterator[Finding]:
    known = catalog.disk_type(disks.type)
    if known:
        yield from bought(Asked(disks, disks.type, known), context)
