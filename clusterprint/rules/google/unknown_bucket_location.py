from clusterprint import did_you_mean
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP092", severity=Severity.ERROR, source="Cloud Storage: bucket locations")
def unknown_bucket_location(bucket: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """There is no bucket location of this name.

    Buckets are in a region, in a multi-region (asia, eu, us), or in one of the dual-regions that have a name
    of their own (such as nam4). Cloud Storage would refuse others during deployment.

    Correct the name, or leave `location` out: the bucket is in the cluster's region then. Ignore this
    problem, with a reason, if the location is newer than the catalog.
    """
    if bucket.create and given(bucket.location) and not did_you_mean.is_bucket_location(bucket.location):
        yield Finding(
            f"there is no bucket location {bucket.location}",
            context.at(bucket, "location"),
            help=did_you_mean.bucket_location(bucket.location),
            instead=did_you_mean.only("bucket_location", bucket.location),
        )
