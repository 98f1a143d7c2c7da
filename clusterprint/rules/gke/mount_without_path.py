from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.derived import volume_mounts
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE201", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def mount_without_path(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A workload mounts a volume, but no path is given.

    A volume can have a path for all workloads that mount it, `mount`; a workload can set its own, `path`.
    Neither is given.

    Write one of the two.
    """
    volume = volume_of(mount, context)
    if volume is not None and not given(volume_mounts.path(mount, volume)):
        yield Finding(
            f"volume {volume.name} is mounted, but no path is given",
            context.at(mount, "volume"),
            also=(context.at(volume, "name", text="this volume"),),
            help="add `path` here, or `mount` to the volume",
        )
