from pathlib import PurePosixPath

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.gke.pod_groups import JobSet
from clusterprint.derived import volume_mounts
from clusterprint.rules import _folders
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE397", severity=Severity.ERROR, source="Kubernetes: volumes, mountPath", firm=True)
def checkpoint_folder_in_use(job: JobSet, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """Checkpoints are saved in a folder that something else uses.

    The memory of the node is mounted there, and hides what was in the folder: a volume of the job, or what
    containers need.

    Save them in a folder of their own.
    """
    if not given(job.checkpoints):
        return
    path = PurePosixPath(job.checkpoints)
    help_text = "save them in a folder of their own, for example /checkpoints"
    if _folders.mount_hides_system(job.checkpoints):
        yield Finding(
            f"checkpoints are saved in {path}, which containers need",
            context.at(job, "checkpoints"),
            help=help_text,
        )
    for mount, other in known(job.mounts, lambda each: _path(each, context)):
        if other and (path.is_relative_to(other) or other.is_relative_to(path)):
            where = "there" if path == other else f"on {other}"
            yield Finding(
                f"checkpoints are saved in {path}, but volume {mount.volume} is mounted {where}",
                context.at(job, "checkpoints"),
                also=(context.at(mount, "path" if given(mount.path) else "volume", text="the volume"),),
                help=help_text,
            )


def _path(mount: VolumeMount, context: Context[GkeBlueprint]) -> PurePosixPath | None:
    volume = volume_of(mount, context)
    path = None if volume is None else volume_mounts.path(mount, volume)
    return PurePosixPath(path or "/") if isinstance(path, str) else None
