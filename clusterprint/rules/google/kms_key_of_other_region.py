from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.derived import kms_keys
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP170", severity=Severity.ERROR, firm=True)
def kms_key_of_other_region(blueprint: NetworkedBlueprint, context: Context) -> Iterator[Finding]:
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
