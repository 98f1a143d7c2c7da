from clusterprint import did_you_mean
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.secrets import Secret
from clusterprint.catalog import regions
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE372", severity=Severity.ERROR, source="Secret Manager: regional secrets")
def secret_in_unknown_region(secret: Secret, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A regional secret is in a region that does not exist.

    A regional secret is reached by an address of its region. Google would refuse it, and rights to it, during
    deployment.

    Correct the name, or leave `location` out: the secret is global then. Ignore this problem, with a reason,
    if the region is newer than the catalog.
    """
    if given(secret.location) and secret.location not in regions():
        yield Finding(
            f"there is no region {secret.location}",
            context.at(secret, "location"),
            help=did_you_mean.region(secret.location)
            or "`gcloud compute regions list` shows all regions; leave location out for a global secret",
            instead=did_you_mean.only("region", secret.location),
        )
