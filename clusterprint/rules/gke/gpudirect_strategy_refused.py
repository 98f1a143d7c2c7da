from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_SERIES = frozenset({"a3-ultra", "a4"})


@rule(
    "GKE323",
    severity=Severity.ERROR,
    source="Google Cloud: GKE API, GPUDirectStrategy; CRD of compute classes",
    firm=True,
)
def gpudirect_strategy_refused(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A GPUDirect strategy is set for a pool that does not support it.

    GKE has one strategy, for A3 Ultra and A4 machines, and only in networks that it manages.

    Remove `gpudirect_strategy`, or add `accelerator_network_profile: auto`.
    """
    if not given(pool.gpudirect_strategy):
        return
    machine = node_pools.machine(pool)
    place = context.at(pool, "gpudirect_strategy")
    if machine is None or machine.series not in _SERIES:
        yield Finding(
            f"gpudirect_strategy is for A3 Ultra and A4 machines, not for {pool.machine_type}",
            place,
            also=(machine_label(pool, context),),
            help="remove gpudirect_strategy",
        )
    elif not node_pools.network_profile(pool):
        yield Finding(
            f"gpudirect_strategy needs managed networks, and pool {pool.name} has none",
            place,
            help="add accelerator_network_profile: auto, or remove gpudirect_strategy",
        )
