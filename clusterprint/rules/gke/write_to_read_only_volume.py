from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.rule import Finding, rule


@rule("GKE202", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def write_to_read_only_volume(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A workload writes to a read-only volume.

    `access: read_only` of a volume applies to all workloads: its claims are read-only, and nobody has more
    rights to its bucket.

    Mount it read-only, or allow writing to the volume.
    """
    volume = volume_of(mount, context)
    if volume is not None and mount.access == "read_write" and volume.access == "read_only":
        yield Finding(
            f"volume {volume.name} cannot be written to",
            context.at(mount, "access"),
            also=(context.at(volume, "access", text="it is read-only"),),
            help="remove access here, or remove access: read_only from the volume",
        )
