from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE072", severity=Severity.WARNING, source="Google Cloud: customize network isolation in GKE")
def no_way_in(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """The control plane cannot be reached from outside the network.

    Without authorized networks its public address is closed, and its DNS name is disabled. Only machines
    inside the network reach it; Terraform has to run there to install anything in the cluster.

    Remove `dns_endpoint: false`, or name authorized networks.
    """
    if given(cluster.dns_endpoint) and not cluster.dns_endpoint and not cluster.authorized_networks:
        yield Finding(
            "the control plane cannot be reached from outside the network, by address or by name",
            context.at(cluster, "dns_endpoint"),
            help="remove dns_endpoint, or name authorized_networks",
        )
