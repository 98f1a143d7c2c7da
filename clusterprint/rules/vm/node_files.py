from pathlib import PurePosixPath

from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_settings, node_system, vm_runs
from clusterprint.rules import _folders, _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule


@rule("VM050", severity=Severity.ERROR, firm=True)
def files_collide(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    landed: dict[PurePosixPath, FileCopy] = {}
    folders: dict[PurePosixPath, FileCopy] = {}
    for part, (_, there) in known(vm_runs.files(blueprint), lambda part: (part.source, part.landing)):
        paths = [PurePosixPath(landing) for landing, _ in _paths.copied(part, context)]
        around = {folder for path in paths for folder in path.parents}
        for path in paths:
            other = landed.get(path) or folders.get(path)
            if other is None:
                other = next((landed[folder] for folder in path.parents if folder in landed), None)
            if other is not None:
                yield Finding(
                    f"two entries put something at {_paths.shown(str(path))}",
                    context.at(part, "destination"),
                    also=(context.at(other, "destination", text="the other one"),),
                    help=f"remove one of them, or copy it elsewhere than to {there or 'the top'}",
                )
                break
        landed.update(dict.fromkeys(paths, part))
        folders.update(dict.fromkeys(around, part))


@rule("VM051", severity=Severity.ERROR)
def file_into_mount(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
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


@rule("VM052", severity=Severity.ERROR)
def file_over_system_folder(part: FileCopy, context: Context) -> Iterator[Finding]:
    if part.destination is UNSET:
        return
    place = context.at(part, "destination")
    if _folders.is_system_folder(part.destination):
        yield Finding(
            f"{part.destination} is a folder of the operating system",
            place,
            help=f"choose a folder in it, for example {part.destination.rstrip('/')}/cluster",
        )
    elif _folders.is_virtual(part.destination):
        yield Finding(f"nothing can be kept in {part.destination}", place, help="for example /opt/my-files")


@rule("VM087", severity=Severity.ERROR, firm=True)
def file_name_not_printable(part: FileCopy, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if part.destination is UNSET:
        return
    for landing, entry in _paths.copied(part, context):
        if not landing.isprintable():
            yield Finding(
                f"{_paths.shown(entry.name)} has a character in its name that cannot be printed",
                context.at(part, "source"),
                help="rename the file",
            )
            return


# What Container-Optimized OS lets be written, and keeps or, in memory, has again after a boot.
_WRITABLE = tuple(
    map(PurePosixPath, ("/etc", "/home", "/mnt/disks", "/mnt/stateful_partition", "/var", "/usr/local"))
)


@rule("VM125", severity=Severity.ERROR, firm=True)
def folder_not_writable(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    image = nodes.image
    if not given(image) or node_system.system(nodes) != "cos":
        return
    if given(nodes.scratch.mount) and node_settings.scratch(nodes) and _is_fixed(nodes.scratch.mount):
        yield Finding(
            f"{nodes.scratch.mount} cannot be created on Container-Optimized OS",
            context.at(nodes.scratch, "mount"),
            help="leave mount out for /mnt/disks/scratch, or choose another folder below /mnt/disks",
        )
    for part, destination in known(context.blueprint.files, lambda each: each.destination):
        if given(destination) and _is_fixed(destination):
            yield Finding(
                f"nothing can be copied to {destination} on Container-Optimized OS",
                context.at(part, "destination"),
                also=(context.at(image, "project", text="the image"),),
                help=f"choose a folder below /var or /home, for example /var{destination}",
            )


def _is_fixed(path: str) -> bool:
    at = PurePosixPath(path)
    return not any(at.is_relative_to(each) and at != each for each in _WRITABLE)
