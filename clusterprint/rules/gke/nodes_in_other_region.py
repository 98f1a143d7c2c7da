from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


@rule("GKE010", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def nodes_in_other_region(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A zone of the pool is not in the region of the cluster.

    Nodes are connected to a subnet, and subnets belong to one region. GKE refuses zones of others.

    Name zones of the cluster's region.
    """
    region = context.blueprint.region
    for index, zone in values(pool, "zones"):
        wrong = elsewhere(zone, region)
        if wrong:
            yield Finding(
                wrong.message,
                context.at(pool, "zones", index),
                also=(context.at(context.blueprint, "region", text="the region of the cluster"),),
                help=wrong.help or f"name zones of {region}",
            )
