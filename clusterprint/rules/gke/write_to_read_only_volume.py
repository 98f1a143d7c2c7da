from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.rule import Finding, rule


@rule("GKE202", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def write_to_read_only_volume(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A workload wants to write to a volume that is only read.

    `access: read_only` of a volume holds for everybody: its claims are for readers, and nobody has more
    rights to its bucket.

    Mount it to read, or let the volume be written to.
    """
    volume = volume_of(mount, context)
    if volume is not None and mount.access == "read_write" and volume.access == "read_only":
        yield Finding(
            f"volume {volume.name} cannot be written to",
            context.at(mount, "access"),
            also=(context.at(volume, "access", text="it is only read"),),
            help="remove access here, or remove access: read_only from the volume",
        )
