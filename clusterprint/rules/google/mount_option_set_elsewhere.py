from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP121", severity=Severity.ERROR, source="Google Cloud: Cloud Storage FUSE CLI options")
def mount_option_set_elsewhere(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A mount option of a bucket says what another field says, or what is decided where it is mounted.

    Who may write is `access`, the profile is `profile`; where logs and files go follows from the machine, and
    who asks is a service account: a key on a machine is a secret that gets lost.

    Use the field, or remove the option.
    """
    for index, text in values(volume, "mount_options"):
        name = fuse_options.read(text).name
        if way_out := catalog.fuse_option_refused(name):
            yield Finding(
                f"{name} is no option that a volume sets",
                context.at(volume, "mount_options", index),
                help=way_out,
            )
