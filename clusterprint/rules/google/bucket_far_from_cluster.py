from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.storage import Bucket
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

# What the names of regions on the continent of a multi-region begin with.
_CONTINENTS = {"us": "us-", "eu": "europe-", "asia": "asia-"}


@rule("GCP064", severity=Severity.WARNING, source="Cloud Storage: bucket locations, and pricing")
def bucket_far_from_cluster(bucket: Bucket, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A created bucket lies in another region than the cluster.

    Nodes read across regions more slowly, and each byte is paid for. Where a bucket lies cannot be
    changed later.

    Leave `location` out (the cluster's region), unless the data has to be elsewhere.
    """
    if bucket.location is UNSET or not bucket.create:
        return
    location = bucket.location.lower()
    region = context.blueprint.region
    # Other short names are dual-regions, which the catalog does not know.
    far = location != region if "-" in location else not region.startswith(_CONTINENTS.get(location, ""))
    if far:
        yield Finding(
            f"bucket {bucket.name} is created in {bucket.location}, but the nodes run in {region}",
            context.at(bucket, "location"),
            also=(context.at(context.blueprint, "region", text="the nodes"),),
            help=f"remove location: buckets are created in {region} then",
        )
