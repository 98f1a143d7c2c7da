from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import existing
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE065", severity=Severity.WARNING, source="Google Cloud: Cloud NAT overview")
def private_nodes_without_nat(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Nodes have only private addresses, and no NAT: they cannot reach the internet.

    Images from registries outside Google, packages and data cannot be loaded. Google's own services, Artifact
    Registry and Cloud Storage among them, stay within reach.

    Remove `nat: false`, unless the cluster is cut off on purpose.
    """
    network = blueprint.network
    if existing.makes_network(blueprint) and blueprint.cluster.private_nodes and not network.nat:
        yield Finding(
            "nodes have only private addresses and no NAT: they reach nothing outside Google",
            context.at(network, "nat"),
            help="remove nat: false, unless the cluster is cut off on purpose",
        )
