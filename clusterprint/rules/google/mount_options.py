from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.rules.kit import (
    Context,
    Finding,
    Iterator,
    Severity,
    again,
    did_you_mean,
    given,
    rule,
    values,
)
from clusterprint.words.guesses import alike

# More of them than these are no help.
_MOST = 3


@rule("GCP120", severity=Severity.ERROR)
def mount_option_unknown(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
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


@rule("GCP123", severity=Severity.ERROR)
def mount_option_repeated(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    options = values(volume, "mount_options")
    for (index, text), (before, _) in again(options, lambda item: fuse_options.read(item[1]).name):
        yield Finding(
            f"{fuse_options.read(text).name} is set twice",
            context.at(volume, "mount_options", index),
            also=(context.at(volume, "mount_options", before, text="first set here"),),
            help="remove one of them",
        )


@rule("GCP124", severity=Severity.NOTE)
def mount_option_against_profile(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    if not given(volume.profile):
        return
    for index, text in values(volume, "mount_options"):
        name, value = fuse_options.read(text)
        known = catalog.fuse_option(name)
        usual = known.profiles.get(volume.profile) if known else None
        if known and usual and known.takes(value) and (value or "true") != usual:
            yield Finding(
                f"{name} is {value or 'true'}, not {usual} as in profile {volume.profile}",
                context.at(volume, "mount_options", index),
                also=(context.at(volume, "profile", text="the profile"),),
                help=f"remove {name} to use the value of the profile",
            )
