from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import kms_keys
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE375", severity=Severity.ERROR, source="clusterprint: keys of Cloud KMS")
def grant_without_key(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Rights on keys are granted, but no key is named.

    Nothing would be granted, and nothing encrypted with a key of your own.

    Name a key (`cluster.secrets_kms_key`, `boot_disk_kms_key` of a pool), or remove `grant_kms_keys`.
    """
    cluster = blueprint.cluster
    if cluster.grant_kms_keys and not any(kms_keys.used(blueprint)):
        yield Finding(
            "grant_kms_keys does nothing: no key is named",
            context.at_key(cluster, "grant_kms_keys"),
            help="name secrets_kms_key or boot_disk_kms_key, or remove grant_kms_keys",
        )
