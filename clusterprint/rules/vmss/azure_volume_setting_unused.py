from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.derived import azure_volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ091", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def azure_volume_setting_unused(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """A volume has a setting that its kind does not have.

    Each kind of volume has settings of its own, and an existing volume has none of those that it was created
    with. A setting that does nothing hides what is meant.

    Remove the setting.
    """
    for field in volume.__struct_fields__:
        own = azure_volumes.settings_of(volume.kind, create=volume.create)
        if not context.wrote(volume, field) or field in own:
            continue
        state = "created" if volume.create else "there already"
        yield Finding(
            f"{field} of volume {volume.name} would do nothing: it is of kind {volume.kind}, and {state}",
            context.at_key(volume, field),
            help=f"remove {field}",
        )
