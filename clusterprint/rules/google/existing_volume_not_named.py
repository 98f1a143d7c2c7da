from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP106", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def existing_volume_not_named(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume exists already, but it is not said which one it is.

    With `create: false` a bucket is named by `bucket`, an instance of a file system by `instance`, a disk by
    `disk`; a volume of NetApp, which the provider cannot look up, by the `export` that clients mount. Nor
    can it look up a Parallelstore, whose `access_points` have to be said as well.

    Name it, or create it.
    """
    field = volumes.NAMED_BY[volume.kind]
    value = "ADDRESS:/PATH" if field == "export" else "its name"
    if volume.create:
        return
    if getattr(volume, field) is UNSET:
        yield Finding(
            f"volume {volume.name} exists already, but {field} is not given",
            context.at(volume, "create"),
            help=f"add {field}: {value}, or remove create: false",
        )
    if volume.kind == "parallelstore" and not volume.access_points:
        yield Finding(
            f"volume {volume.name} exists already, but access_points are not given",
            context.at(volume, "create"),
            help="add access_points: [IP, ...], which gcloud beta parallelstore instances describe lists",
        )
