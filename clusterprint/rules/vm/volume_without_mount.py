from clusterprint.blueprint.volumes import VmVolume
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM094", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_without_mount(volume: VmVolume, context: Context) -> Iterator[Finding]:
    """A volume is not mounted, but its kind or one of its settings needs that.

    Programs can use a bucket by its name. All other volumes appear on nodes where they are mounted, and
    `profile` and `mount_options` are settings of a mount.

    Add a `mount`, or remove the setting.
    """
    if given(volume.mount):
        return
    help_text = f"add mount: /mnt/{volume.name}"
    if volume.kind != "bucket":
        yield Finding(f"volume {volume.name} has no mount", context.at(volume), help=help_text)
        return
    for field in ("profile", "mount_options"):
        if context.wrote(volume, field):
            yield Finding(
                f"{field} would do nothing: volume {volume.name} is not mounted",
                context.at_key(volume, field),
                help=f"{help_text}, or remove {field}",
            )
