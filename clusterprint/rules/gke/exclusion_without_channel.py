from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE075",
    severity=Severity.ERROR,
    source="Google Cloud: maintenance windows and exclusions in GKE",
    firm=True,
)
def exclusion_without_channel(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """Maintenance exclusions are given for a cluster outside of the release channels.

    Exclusions with a scope are part of release channels; GKE refuses them without. Outside of a channel,
    nodes are not upgraded anyway, unless their version is too old.

    Remove the exclusions, or choose a release channel.
    """
    if cluster.release_channel == "none" and cluster.maintenance.exclusions:
        yield Finding(
            "maintenance exclusions need a release channel",
            context.at_key(cluster.maintenance, "exclusions"),
            also=(context.at(cluster, "release_channel", text="no channel"),),
            help="remove the exclusions, or write release_channel: regular",
        )
