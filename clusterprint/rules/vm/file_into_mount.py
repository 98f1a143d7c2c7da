from pathlib import PurePosixPath

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import vm_runs
from clusterprint.rules import _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("VM051", severity=Severity.ERROR, source="Linux: mount(8)")
def file_into_mount(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A file is copied to where a volume is mounted.

    Depending on which comes first, the file is hidden by it, or every node writes it there, over what another
    node wrote.

    Choose a destination outside the mount.
    """
    mounts = [
        (volume, PurePosixPath(mount))
        for volume, mount in known(blueprint.storage.volumes, lambda each: each.mount)
        if mount is not UNSET
    ]
    for part, (_, destination) in known(
        vm_runs.files(blueprint), lambda part: (part.source, part.destination)
    ):
        if destination is UNSET:
            continue
        paths = [destination, *(landing for landing, _ in _paths.copied(part, context))]
        for volume, mount in mounts:
            inside = next((path for path in paths if _is_inside(path, mount)), None)
            if inside is not None:
                yield Finding(
                    f"{_paths.shown(inside)} lies inside the mount of a volume",
                    context.at(part, "destination"),
                    also=(context.at(volume, "mount", text="the mount"),),
                    help="choose a destination outside the mount, or put the file into the volume",
                )


def _is_inside(path: str, mount: PurePosixPath) -> bool:
    at = PurePosixPath(path)
    return at == mount or mount in at.parents
