from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE020", severity=Severity.ERROR, source="Google Cloud: about TPUs in GKE", firm=True)
def tpu_topology_missing(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The machine type has TPUs, but the pool has no topology.

    TPU machines are joined to a slice, and its shape decides how many there are and how they are wired. GKE
    creates no TPU nodes without it.

    Add `tpu: {topology: ...}`.
    """
    found = node_pools.tpu(pool)
    if found is None or given(pool.tpu):
        return
    kind, _ = found
    fitting = [each for each in kind.small_shapes if kind.node_count(each, pool.machine_type)]
    yield Finding(
        f"{pool.machine_type} is a TPU {kind.name} machine, and pool {pool.name} has no topology",
        context.at(pool, "machine_type"),
        help=f"add tpu: {{topology: {fitting[0]}}}" if fitting else "add tpu: {topology: ...}",
    )
