from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import existing, node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE088", severity=Severity.WARNING, source="Google Cloud: GKE quotas and limits")
def more_nodes_than_cluster_holds(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """The cluster may grow beyond what GKE is known to allow.

    A zonal control plane is meant for 2,000 nodes, a regional one for 5,000 until Google raises the quota,
    and for 15,000 then.

    Make the pools smaller, make several clusters, or ask Google for a larger quota.
    """
    if existing.is_existing(blueprint):
        return
    limits = catalog.gke_limits()
    zonal = blueprint.cluster.location == "zonal"
    nodes = node_pools.all_nodes(blueprint)
    most = limits.nodes_of_zonal_cluster if zonal else limits.nodes_without_quota
    if nodes <= most:
        return
    largest = max(blueprint.node_pools, key=lambda each: node_pools.max_nodes(blueprint, each), default=None)
    system = blueprint.system_pool
    if largest and node_pools.max_nodes(blueprint, largest) >= node_pools.max_system_nodes(system):
        place = number_label(largest, context)
    else:
        place = context.at(system.autoscaling, "max")
    yield Finding(
        f"there may be {nodes:,} nodes; a {blueprint.cluster.location} cluster is meant for {most:,}",
        place,
        help=f"write location: regional for up to {limits.nodes_without_quota:,}"
        if zonal
        else f"ask Google for a larger quota; the maximum is {limits.nodes_per_cluster:,}",
    )
