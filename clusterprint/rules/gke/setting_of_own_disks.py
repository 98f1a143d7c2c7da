from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.volumes import KubernetesVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE211", severity=Severity.ERROR, source="Kubernetes: ephemeral volumes", firm=True)
def setting_of_own_disks(
    volume: KubernetesVolume, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A disk that each pod has for itself is described like one that lasts.

    A disk takes writes from one machine only, so each pod gets one of its own: where the pod is, of the size
    that is said, and gone with the pod. It has no zone, and nothing protects it.

    Say its size and nothing of what it is not; take another kind of volume for data that is to last.
    """
    if volume.kind != "disk" or volume.access == "read_only":
        return
    if not volume.create:
        yield Finding(
            f"volume {volume.name} is an existing disk that pods would write to",
            context.at(volume, "create"),
            help="add access: read_only; for data that pods write, take kind filestore, lustre or bucket",
        )
        return
    for key in ("zone", "deletion_protection", "snapshot"):
        if context.wrote(volume, key):
            yield Finding(
                f"{key} does nothing for volume {volume.name}: each pod has a disk of its own, gone with it",
                context.at(volume, key),
                help=f"remove {key}, or add access: read_only for one disk that all pods read",
            )
