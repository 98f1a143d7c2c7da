from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE324", severity=Severity.ERROR, source="The blueprint language: gpu_networks", firm=True)
def managed_networks_left_out(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A pool has a profile of managed networks, but should have no networks.

    `gpu_networks: false` leaves all networks of accelerators out, managed or not.

    Remove one of the two.
    """
    if given(pool.accelerator_network_profile) and not pool.gpu_networks:
        yield Finding(
            f"pool {pool.name} has accelerator_network_profile, but gpu_networks is false",
            context.at(pool, "accelerator_network_profile"),
            also=(context.at(pool, "gpu_networks", text="no networks"),),
            help="remove gpu_networks, or accelerator_network_profile",
        )
