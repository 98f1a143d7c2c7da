from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import kms_keys
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GCP170",
    severity=Severity.ERROR,
    source="Google Cloud: Cloud KMS locations, and CMEK of disks",
    firm=True,
)
def kms_key_of_other_region(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """The Cloud KMS key of a cluster is in another location than the cluster.

    Disks, buckets and file systems are encrypted only with keys of the region that they are in.

    Create a key ring in the region of the cluster, and name a key of it.
    """
    key, region = kms_keys.of_all(blueprint), blueprint.region
    if key and kms_keys.location(key) != region:
        yield Finding(
            f"the key is in {kms_keys.location(key)}, but the cluster is in {region}",
            context.at(blueprint, "kms_key"),
            also=(context.at(blueprint, "region", text="the region"),),
            help=f"name a key of a key ring in {region}",
        )
