from collections.abc import Iterator
from pathlib import PurePosixPath

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.derived import volume_mounts
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules import _folders
from clusterprint.rules.context import Context
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule

# Ray's own processes keep their logs and sockets there.
_RAY = PurePosixPath("/tmp/ray")  # noqa: S108 - in the pod


@rule("GKE203", severity=Severity.ERROR, source=_folders.SOURCE)
def mount_on_folder_in_use(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A volume is mounted on a folder that the container needs.

    A mount hides whatever was in the folder: programs without their /usr or /etc do not start.

    Mount it on a folder of its own, for example below /mnt.
    """
    volume = volume_of(mount, context)
    if volume is None:
        return
    path = volume_mounts.path(mount, volume)
    if not given(path):
        return
    is_ray = context.blueprint.kind == "ray" and PurePosixPath(path).is_relative_to(_RAY)
    # What a volume says of its own is looked at where the volume is.
    if is_ray or (given(mount.path) and _folders.mount_hides_system(path or "/")):
        whose = "which Ray needs" if is_ray else "which containers need"
        yield Finding(
            f"volume {volume.name} is mounted on {path or '/'}, {whose}",
            _place(mount, context),
            help=f"mount it on a folder of its own, for example /mnt/{volume.name}",
        )


def _place(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> Label:
    return context.at(mount, "path" if given(mount.path) else "volume")
