from pathlib import PurePosixPath

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.volumes import GoogleVolume, KubernetesVolume
from clusterprint.rules import _folders
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

# Ray's own processes keep their logs and sockets there.
_RAY = PurePosixPath("/tmp/ray")  # noqa: S108 - in the pod


@rule("GKE203", severity=Severity.ERROR, source=_folders.SOURCE)
def mount_on_folder_in_use(
    part: VolumeMount | KubernetesVolume, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A volume is mounted on a folder that the container needs.

    A mount hides whatever was in the folder: programs without their /usr or /etc do not start.

    Mount it on a folder of its own, for example below /mnt.
    """
    volume: GoogleVolume | None
    if isinstance(part, VolumeMount):
        volume, field, path = volume_of(part, context), "path", part.path
    else:
        volume, field, path = part, "mount", part.mount
    if volume is None or not given(path):
        return
    path = path.rstrip("/") or "/"
    is_ray = context.blueprint.kind == "ray" and PurePosixPath(path).is_relative_to(_RAY)
    # System folders that a volume names itself are looked at in every kind of cluster.
    if is_ray or (field == "path" and _folders.mount_hides_system(path)):
        whose = "which Ray needs" if is_ray else "which containers need"
        yield Finding(
            f"volume {volume.name} is mounted on {path}, {whose}",
            context.at(part, field),
            help=f"mount it on a folder of its own, for example /mnt/{volume.name}",
        )
