from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, rule, values


@rule("GCP123", severity=Severity.ERROR, source="The blueprint language: storage.volumes")
def mount_option_repeated(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A mount option of a bucket is set twice.

    Only the last one would apply, and the first one would mislead readers.

    Remove one of them.
    """
    options = values(volume, "mount_options")
    for (index, text), (before, _) in again(options, lambda item: fuse_options.read(item[1]).name):
        yield Finding(
            f"{fuse_options.read(text).name} is set twice",
            context.at(volume, "mount_options", index),
            also=(context.at(volume, "mount_options", before, text="first set here"),),
            help="remove one of them",
        )
