from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("GKE069", severity=Severity.WARNING)
def primary_mtu_below_recommended(
    network: ClusterNetwork, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    if network.existing is not UNSET:
        return
    for pool, layout in known(context.blueprint.node_pools, node_pools.layout):
        # A network for RDMA alone has packets of its own.
        if layout.gpudirect != "none" and layout.mtu is not None and network.mtu < layout.mtu:
            yield Finding(
                f"mtu {network.mtu} is below the {layout.mtu} recommended for {pool.machine_type}",
                context.at(network, "mtu"),
                also=(machine_label(pool, context),),
                help="remove mtu",
            )
            return
