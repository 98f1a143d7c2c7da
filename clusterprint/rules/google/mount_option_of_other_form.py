from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


@rule("GCP122", severity=Severity.ERROR, source="GoogleCloudPlatform/gcsfuse: cfg/params.yaml")
def mount_option_of_other_form(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A mount option of a bucket has an invalid value, or none where it needs one.

    Each option is a switch, a number with a smallest value, a time, or one of a few words. gcsfuse refuses
    anything else when the bucket is mounted, which is when the first node starts.

    Write such a value.
    """
    for index, text in values(volume, "mount_options"):
        name, value = fuse_options.read(text)
        known = catalog.fuse_option(name)
        if known and not known.takes(value):
            yield Finding(
                f"{name} is {value}" if value else f"{name} has no value",
                context.at(volume, "mount_options", index),
                help=f"write {name}= and {known.wanted}",
            )
