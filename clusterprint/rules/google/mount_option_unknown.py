from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, did_you_mean, rule, values
from clusterprint.words.guesses import alike

# More of them than these are no help.
_MOST = 3


@rule("GCP120", severity=Severity.ERROR, source="Google Cloud: Cloud Storage FUSE CLI options")
def mount_option_unknown(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A bucket is mounted with an option that Cloud Storage FUSE does not have, or no longer has.

    On machines gcsfuse would not start; in pods the driver passes on what it does not know, and the mount
    fails there. Names are those of its command line, with hyphens.

    Write the option as gcsfuse calls it, or remove it.
    """
    for index, text in values(volume, "mount_options"):
        name, value = fuse_options.read(text)
        if catalog.fuse_option(name) or catalog.fuse_option_refused(name):
            continue
        near = alike(name, catalog.fuse_options(), plain=lambda each: each.replace("_", "-"), most=_MOST)
        only = near[0] if len(near) == 1 or near[:1] == [name.replace("_", "-")] else ""
        yield Finding(
            f"{name} is not an option of Cloud Storage FUSE that can be set",
            context.at(volume, "mount_options", index),
            help=did_you_mean(*([only] if only else near)) or "remove it",
            instead=(f"{only}={value}" if value else only) if only else "",
        )
