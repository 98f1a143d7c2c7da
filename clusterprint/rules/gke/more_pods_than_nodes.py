from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import auto_creation, compute_domains, node_pools, pod_groups
from clusterprint.rules.gke._jobs import pool_of, pools_of_class
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE243", severity=Severity.ERROR, source="Kubernetes: inter-pod affinity and anti-affinity")
def more_pods_than_nodes(group: PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A JobSet or LeaderWorkerSet has more pods than its pool has nodes.

    Each pod has a node to itself. Some would wait forever, and the others with them.

    Ask for fewer pods, or give the pool more nodes.
    """
    pool = pool_of(group, context)
    if pool is None:
        return
    pods = pod_groups.replicas(group, pool) * pod_groups.pods(group, pool)
    pools = pools_of_class(group, context) or (pool,)
    nodes = sum(node_pools.max_nodes(context.blueprint, each) for each in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, group.compute_class)
    if pods > nodes and not 0 < compute_domains.domain_nodes(pool) < pods:
        what = f"compute class {group.compute_class}" if given(group.compute_class) else f"pool {pool.name}"
        yield Finding(
            f"{group.noun} {group.name} has {counted(pods, 'pod')}, but {what} has at most "
            f"{counted(nodes, 'node')}",
            context.at(group, "name"),
            also=(number_label(pool, context, text="its nodes"),),
            help="ask for fewer pods or replicas, or give the pool more nodes",
        )
