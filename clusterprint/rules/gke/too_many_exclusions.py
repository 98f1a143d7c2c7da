from clusterprint import catalog
from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE080", severity=Severity.WARNING, source="Google Cloud: maintenance windows and exclusions in GKE")
def too_many_exclusions(maintenance: Maintenance, context: Context) -> Iterator[Finding]:
    """There are more maintenance exclusions than are known to be allowed.

    The Terraform provider mentions twenty, Cluster Toolkit three; GKE may refuse more.

    Merge exclusions that lie beside each other, and remove those that are over.
    """
    most = catalog.gke_limits().maintenance_exclusions
    if len(maintenance.exclusions) > most:
        yield Finding(
            f"there are {len(maintenance.exclusions)} exclusions; {most} are known to be allowed",
            context.at_key(maintenance, "exclusions"),
            help="merge some, and remove those that have passed",
        )
