from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import fuse_options, node_groups, node_settings
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


@rule("VM200", severity=Severity.ERROR, source="Google Cloud: Cloud Storage FUSE file caching")
def cache_option_without_scratch(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A mount option is about cached files, but nothing caches them.

    Files of a bucket are cached on the scratch disk, which is the local SSDs of a machine. Machines without
    local SSDs cache none, and neither does profile checkpoints: what is written once is hardly ever read
    again.

    Use machines with local SSDs, or another profile; or remove the option.
    """
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
