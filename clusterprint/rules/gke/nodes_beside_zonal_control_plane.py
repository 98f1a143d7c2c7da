from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule, values


@rule("GKE018", severity=Severity.WARNING, source="Google Cloud: GKE cluster availability")
def nodes_beside_zonal_control_plane(
    pool: NodePool, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """Nodes run in zones that the control plane is not in.

    A zonal cluster has its control plane in one zone. Nodes in other zones protect nothing when that zone is
    lost: without a control plane no work is started or moved.

    Write `location: regional` for the cluster, or keep the nodes in its zone.
    """
    cluster = context.blueprint.cluster
    home = node_pools.default_zone(context.blueprint)
    away = [zone for _, zone in values(pool, "zones") if zone != home]
    if cluster.location == "zonal" and away and len(set(pool.zones)) > 1:
        yield Finding(
            f"nodes of pool {pool.name} run in {listed(away, 'and')}, but the control plane only in {home}",
            context.at(pool, "zones"),
            also=(context.at(cluster, "location", text="one zone only"),),
            help="write location: regional for the cluster, or keep the nodes in its zone",
        )
