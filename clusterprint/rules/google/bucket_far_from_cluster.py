from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import bucket_locations, regions
from clusterprint.did_you_mean import is_bucket_location
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP064", severity=Severity.WARNING, source="Cloud Storage: bucket locations, and pricing")
def bucket_far_from_cluster(bucket: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A created bucket is in another region than the cluster.

    Reading across regions is slower, and the traffic is billed. The location of a bucket cannot be changed
    later.

    Leave `location` out (the cluster's region), unless the data has to be elsewhere.
    """
    region = context.blueprint.region
    if bucket.location is UNSET or not bucket.create or region not in regions():
        return
    if not is_bucket_location(bucket.location):
        return
    if not bucket_locations().is_near(bucket.location.lower(), region):
        yield Finding(
            f"bucket {bucket.name} is created in {bucket.location}, but the nodes run in {region}",
            context.at(bucket, "location"),
            also=(context.at(context.blueprint, "region", text="the nodes"),),
            help=f"remove location: the default is {region}",
        )
