from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import network_names, node_pools
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE059", severity=Severity.ERROR, firm=True)
def network_of_gpus_named_as_primary(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    existing = blueprint.network.existing
    if existing is UNSET or existing.project not in (UNSET, blueprint.project):
        return
    if any(existing.name in _created(blueprint, pool) for pool in blueprint.node_pools):
        yield Finding(
            f"network {existing.name} is one that this cluster creates for its GPUs",
            context.at(existing, "name"),
            also=(context.at(blueprint, "name", text="names of its resources begin with this"),),
            help="name the nodes' primary network here, or give the cluster another name",
        )


def _created(blueprint: KubernetesBlueprint, pool: NodePool) -> tuple[str, ...]:
    """The networks that a pool needs besides the primary one."""
    layout, name = node_pools.layout(pool), blueprint.name
    tcp = (network_names.gpu_network(name, index) for index in range(layout.extra_vpcs))
    rdma = (
        network_names.zonal_rdma_network(name, zone, layout.rdma_word)
        for zone in node_pools.zones(blueprint, pool)
    )
    return (*tcp, network_names.host_network(name), *rdma) if layout.nics > 1 else ()
