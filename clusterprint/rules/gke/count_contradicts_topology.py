from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._tpus import slice_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule(
    "GKE025",
    severity=Severity.ERROR,
    source="Cluster Toolkit, XPK and TPU Provisioner: shapes of TPU slices",
    firm=True,
)
def count_contradicts_topology(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The number of nodes does not match the TPU slice.

    A slice is made of a fixed number of machines, all of them or none. How many follows from the topology.

    Remove `count`. For several slices write `slices`.
    """
    found = slice_of(pool)
    if found is None or not given(pool.count) or pool.count in (0, found.nodes) or given(pool.autoscaling):
        return
    several = f", or slices: {pool.count // found.nodes} for several" if pool.count % found.nodes == 0 else ""
    yield Finding(
        f"a slice {found.topology} is made of {counted(found.nodes, f'{pool.machine_type} node')}, "
        f"not of {pool.count}",
        context.at(pool, "count"),
        also=(context.at(pool, "tpu", "topology", text="the topology"),),
        help=f"remove count{several}",
    )
