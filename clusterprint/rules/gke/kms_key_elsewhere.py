from msgspec import UnsetType

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule(
    "GKE261",
    severity=Severity.ERROR,
    source="Google Cloud: encrypt secrets at the application layer; CMEK in GKE",
)
def kms_key_elsewhere(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A Cloud KMS key is not in the region of the cluster.

    GKE takes keys for Secrets and for boot disks only from the region that the cluster is in.

    Create a key ring in that region, and name a key of it.
    """
    cluster = blueprint.cluster
    named: list[tuple[Part, str, str | UnsetType]] = [(cluster, "secrets_kms_key", cluster.secrets_kms_key)]
    named += [
        (pool, "boot_disk_kms_key", key)
        for pool, key in known(blueprint.node_pools, lambda each: each.boot_disk_kms_key)
    ]
    for part, field, key in named:
        location = key.split("/")[3] if given(key) else blueprint.region
        if location != blueprint.region:
            yield Finding(
                f"the key is in {location}, but the cluster is in {blueprint.region}",
                context.at(part, field),
                help=f"name a key of a key ring in {blueprint.region}",
            )
