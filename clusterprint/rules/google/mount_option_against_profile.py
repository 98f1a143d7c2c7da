from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule, values


@rule("GCP124", severity=Severity.NOTE, source="GoogleCloudPlatform/gcsfuse: cfg/params.yaml, optimizations")
def mount_option_against_profile(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A mount option of a bucket differs from the bucket's profile.

    A profile is a set of options that were measured together; options that are set one by one override it.
    That may be intended.

    Nothing has to be done; without the option, the profile applies.
    """
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
