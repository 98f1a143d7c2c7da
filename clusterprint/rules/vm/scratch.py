from pathlib import PurePosixPath

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import fuse_options, node_groups, node_settings
from clusterprint.rules import _folders
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule, values


@rule("VM093", severity=Severity.ERROR, firm=True)
def scratch_folder_taken(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
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


@rule("VM200", severity=Severity.ERROR)
def cache_option_without_scratch(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    for index, text in values(volume, "mount_options"):
        known = catalog.fuse_option(name := fuse_options.read(text).name)
        if not known or not known.caches:
            continue
        place = context.at(volume, "mount_options", index)
        if volume.profile == "checkpoints":
            yield Finding(
                f"{name} would do nothing: profile checkpoints caches no files on nodes",
                place,
                also=(context.at(volume, "profile", text="the profile"),),
                help=f"remove {name}, or use another profile",
            )
            continue
        for group in node_groups.groups(context.blueprint):
            if not node_settings.scratch(group):
                yield Finding(
                    f"{name} would do nothing: these nodes have no scratch disk to cache files on",
                    place,
                    also=(context.at(group, "machine_type", text="these nodes"),),
                    help=f"remove {name}, or use machines with local SSDs",
                )
                break
