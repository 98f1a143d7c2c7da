from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.derived import kms_keys, volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE376", severity=Severity.ERROR, source="Google Cloud: CMEK of Filestore and Lustre", firm=True)
def file_class_beyond_key(files: FileClass, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A storage class creates file systems that cannot be encrypted with the key of the cluster.

    Managed Lustre with a key cannot be used with GKE, and the basic tiers of Filestore take no keys of
    customers. With `kms_key` no claim silently gets keys of Google.

    Use a tier of Filestore that takes keys, remove the class, or remove `kms_key`.
    """
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
