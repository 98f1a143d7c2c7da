from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._tpus import slice_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE160", severity=Severity.ERROR, source="vLLM: ci-infra, TPU node pools of several hosts")
def slice_spread_evenly(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The nodes of a multi-host TPU slice are set to be spread evenly over zones.

    A slice is created in one zone, all at once. GKE cannot do that with nodes that it has to balance.

    Remove `location_policy`, or write `location_policy: any`.
    """
    found = slice_of(pool)
    if found is None or not found.spans_hosts or not given(pool.autoscaling):
        return
    if given(pool.autoscaling.location_policy) and pool.autoscaling.location_policy == "balanced":
        yield Finding(
            f"the {found.nodes} nodes of a slice {found.topology} are created together "
            "and cannot be balanced",
            context.at(pool.autoscaling, "location_policy"),
            also=(context.at(pool, "tpu", "topology", text="the topology"),),
            help="remove location_policy",
        )
