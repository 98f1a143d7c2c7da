from clusterprint import catalog
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule(
    "GKE023",
    severity=Severity.ERROR,
    source="Cluster Toolkit, XPK and TPU Provisioner: shapes of TPU slices",
    firm=True,
)
def topology_not_a_slice(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The TPU type has no slice of this topology.

    Chips are wired in fixed shapes: a few small ones, and above them cubes of 4x4x4 put side by side, with
    the edges in ascending order.

    Write one of the shapes in the help.
    """
    found = node_pools.tpu(pool)
    if found is None or not given(pool.tpu):
        return
    kind, topology = found[0], pool.tpu.topology
    if len(topology.split("x")) == kind.dimensions and not kind.is_slice(topology):
        yield Finding(
            f"there is no slice {topology} of TPU {kind.name}",
            context.at(pool.tpu, "topology"),
            also=(machine_label(pool, context),),
            help=_help_for(kind, topology),
        )


def _help_for(kind: catalog.TpuType, topology: str) -> str:
    ascending = "x".join(sorted(topology.split("x"), key=int))
    if kind.is_slice(ascending):
        return f"write the edges in ascending order: {ascending}"
    cubes = (
        f", or edges that are multiples of 4, with at most {kind.max_chips} chips" if kind.max_cubes else ""
    )
    return f"there are {listed(kind.small_shapes, 'and')}{cubes}"
