from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.secrets import Secret
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.derived import kms_keys, volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE377", severity=Severity.ERROR, firm=True)
def secret_beyond_key(secret: Secret, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    region = context.blueprint.region
    if not kms_keys.of_all(context.blueprint) or not secret.create or secret.location == region:
        return
    where = "replicated by Google" if secret.location is UNSET else f"in {secret.location}"
    yield Finding(
        f"secret {secret.name} cannot be encrypted with kms_key: it is {where}, the key is in {region}",
        context.at(secret, "name" if secret.location is UNSET else "location"),
        also=(context.at(context.blueprint, "kms_key", text="the key"),),
        help=f"write location: {region}, or create: false for one that exists",
    )


@rule("GKE376", severity=Severity.ERROR, firm=True)
def file_class_beyond_key(files: FileClass, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not kms_keys.of_all(context.blueprint):
        return
    if files.kind == "lustre":
        reason, place, tier = "Lustre with a key cannot be used with GKE", "kind", "kind: filestore and "
    elif files.max_share_gb is UNSET and volumes.tier_name(files).startswith("basic"):
        reason, place, tier = f"tier {volumes.tier_name(files)} takes no keys", "tier", ""
    else:
        return
    yield Finding(
        f"file systems of class {files.name} cannot be encrypted with kms_key: {reason}",
        context.at(files, place),
        also=(context.at(context.blueprint, "kms_key", text="the key"),),
        help=f"write {tier}tier: zonal or regional, or remove the class",
    )
