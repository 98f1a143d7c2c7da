from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP101", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_setting_unused(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume has a setting that its kind does not have.

    Each kind of volume has settings of its own, and an existing volume has none of those that it was created
    with. A setting that does nothing hides what is meant.

    Remove the setting.
    """
    for field in volume.__struct_fields__:
        if not context.wrote(volume, field) or field in volumes.settings_of(
            volume.kind, create=volume.create
        ):
            continue
        if field in volumes.settings_of(volume.kind, create=not volume.create):
            why = "it is created, so it cannot name an existing one" if volume.create else "it exists already"
        else:
            having = ", ".join(volumes.kinds_with(field, create=volume.create))
            why = f"its kind is {volume.kind}" + (f", and that is a setting of {having}" if having else "")
        # A zone is that of what is created, too; it is said of others by another rule.
        could_be_made = field in volumes.settings_of(volume.kind, create=True) and field != "zone"
        yield Finding(
            f"{field} of volume {volume.name} would do nothing: {why}",
            context.at_key(volume, field),
            help=f"remove {field}" + (", or create: false" if could_be_made and not volume.create else ""),
        )
