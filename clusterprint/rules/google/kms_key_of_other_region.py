from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.derived import kms_keys
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GCP170",
    severity=Severity.ERROR,
    source="Google Cloud: Cloud KMS locations, and CMEK of disks",
    firm=True,
)
def kms_key_of_other_region(blueprint: NetworkedBlueprint, context: Context) -> Iterator[Finding]:
    """The Cloud KMS key of a cluster is in another location than the cluster.

    Disks, buckets and file systems are encrypted only with keys of the region that they are in.

    Create a key ring in the region of the cluster, and name a key of it.
    """
    if not given(blueprint.kms_key):
        return
    key, region = blueprint.kms_key, blueprint.region
    if kms_keys.location(key) != region:
        yield Finding(
            f"the key is in {kms_keys.location(key)}, but the cluster is in {region}",
            context.at(blueprint, "kms_key"),
            also=(context.at(blueprint, "region", text="the region"),),
            help=f"name a key of a key ring in {region}",
        )
