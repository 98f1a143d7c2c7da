from pathlib import PurePosixPath

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_settings, node_system
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule

# What Container-Optimized OS lets be written, and keeps or, in memory, has again after a boot.
_WRITABLE = tuple(
    map(PurePosixPath, ("/etc", "/home", "/mnt/disks", "/mnt/stateful_partition", "/var", "/usr/local"))
)


@rule(
    "VM125",
    severity=Severity.ERROR,
    source="Container-Optimized OS: disks and file system overview",
    firm=True,
)
def folder_not_writable(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A file or a disk is placed in a folder that Container-Optimized OS does not allow writing to.

    Its root file system cannot be changed. There is room below /home and /var, where nothing can be executed,
    below /mnt/disks, and below /etc and /usr/local, which are recreated at each boot.

    Choose a folder below one of these, for example below /var or /mnt/disks.
    """
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
