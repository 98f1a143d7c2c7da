from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import compute_domains, node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE171", severity=Severity.WARNING)
def nvlink_between_nodes_unused(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    if isinstance(blueprint, GkeBlueprint) and given(blueprint.workloads.nvidia_dra):
        return
    if compute_domains.domain_nodes(pool) and node_pools.max_nodes(blueprint, pool) > 1:
        yield Finding(
            f"jobs on pool {pool.name} use RDMA between its nodes, not NVLink",
            number_label(pool, context),
            help="add `nvidia_dra: {}` to the workloads"
            if isinstance(blueprint, GkeBlueprint)
            else "ignore this warning, or use kind gke: pods of Ray cannot join an NVLink domain yet",
        )
