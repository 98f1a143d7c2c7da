from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE321", severity=Severity.ERROR)
def managed_networks_beside_own(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not node_pools.network_profile(pool):
        return
    layouts = known(context.blueprint.node_pools, node_pools.layout)
    other = next((each for each, layout in layouts if layout.nics > 1), None)
    if other is None:
        return
    said = given(pool.accelerator_network_profile)
    yield Finding(
        f"GKE manages the networks of pool {pool.name}, which cannot be combined with those of "
        f"pool {other.name}",
        context.at(pool, "accelerator_network_profile" if said else "machine_type"),
        also=(machine_label(other, context),),
        help="write accelerator_network_profile: auto for both pools, or for none"
        if said and node_pools.device_class(other)
        else "make another cluster for one of them",
    )
