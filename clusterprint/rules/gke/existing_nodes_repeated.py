from clusterprint.blueprint.gke.existing import ExistingCluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE295", severity=Severity.ERROR, firm=True)
def existing_nodes_repeated(
    existing: ExistingCluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    taken = {
        name: context.at(pool, "name", text="the other one")
        for pool, name in known(context.blueprint.node_pools, lambda each: each.name)
    }
    for nodes, name in known(existing.nodes, lambda each: each.name):
        if name in taken:
            yield Finding(
                f"two groups of nodes are called {name}",
                context.at(nodes, "name"),
                also=(taken[name],),
                help="give one of them another name",
            )
        taken[name] = context.at(nodes, "name", text="the other one")
