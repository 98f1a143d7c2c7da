from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


@rule("GCP121", severity=Severity.ERROR, source="Google Cloud: Cloud Storage FUSE CLI options")
def mount_option_set_elsewhere(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A mount option of a bucket is set by another field, or follows from where it is mounted.

    `access` says who may write, and `profile` is the profile; where logs and files go follows from the
    machine, and a service account authenticates: a key on a machine is a secret that can leak.

    Use the field, or remove the option.
    """
    for index, text in values(volume, "mount_options"):
        name = fuse_options.read(text).name
        if help_text := catalog.fuse_option_refused(name):
            yield Finding(
                f"{name} cannot be set as a mount option",
                context.at(volume, "mount_options", index),
                help=help_text,
            )
