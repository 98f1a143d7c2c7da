from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import existing
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE066", severity=Severity.WARNING, source="Google Cloud: Cloud NAT overview")
def nat_without_private_nodes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """NAT is on, but nodes have public addresses and do not use it.

    A node with a public address reaches the internet with that address, never through NAT.

    Remove `nat`, or `private_nodes: false`.
    """
    network, cluster = blueprint.network, blueprint.cluster
    if (
        existing.makes_network(blueprint)
        and context.wrote(network, "nat")
        and network.nat
        and not cluster.private_nodes
    ):
        yield Finding(
            "nat is set, but nodes have public addresses and do not use it",
            context.at(network, "nat"),
            also=(context.at(cluster, "private_nodes", text="public addresses"),),
            help="remove nat, or remove private_nodes: false",
        )
