from pathlib import PurePosixPath

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_settings
from clusterprint.rules import _folders
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("VM093", severity=Severity.ERROR, source="Linux: mount(8)", firm=True)
def scratch_folder_taken(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The scratch disk would appear on a folder of the operating system, or of a volume.

    Of two mounts on one folder only the later one is visible; on a folder of the operating system, the disk
    would hide what a machine needs.

    Choose a folder of its own, such as /mnt/scratch.
    """
    folder = node_settings.scratch(nodes)
    if not folder:
        return
    place = context.at(nodes.scratch, "mount")
    if _folders.mount_hides_system(folder):
        yield Finding(
            f"the scratch disk would hide {folder}, which the operating system needs",
            place,
            help="choose a folder of its own, for example /mnt/scratch",
        )
    for volume, mount in known(context.blueprint.storage.volumes, lambda each: each.mount):
        if mount is UNSET:
            continue
        one, other = PurePosixPath(mount), PurePosixPath(folder)
        if one.is_relative_to(other) or other.is_relative_to(one):
            yield Finding(
                f"the scratch disk at {folder} is in the way of volume {volume.name}",
                context.at(volume, "mount"),
                also=(place,),
                help="mount one of them elsewhere, or give scratch another mount",
            )
