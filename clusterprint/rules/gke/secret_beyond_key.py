from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.secrets import Secret
from clusterprint.derived import kms_keys
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE377", severity=Severity.ERROR, source="Google Cloud: CMEK of Secret Manager", firm=True)
def secret_beyond_key(secret: Secret, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A created secret is not in the region of the key of the cluster.

    Secret Manager encrypts the values of a regional secret with a key of its region. A secret that it
    replicates itself takes only a key of the location `global`, which encrypts no disk.

    Create it as a regional secret of the cluster's region, or beforehand with a key of its own.
    """
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
