from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE022",
    severity=Severity.ERROR,
    source="Cluster Toolkit, XPK and TPU Provisioner: shapes of TPU slices",
    firm=True,
)
def topology_of_other_dimension(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The topology has two edges where the TPU type has three, or the other way round.

    v5e and v6e chips are wired in a plane, v4, v5p and tpu7x in space.

    Write the topology with the right number of edges.
    """
    found = node_pools.tpu(pool)
    if found is None or not given(pool.tpu):
        return
    kind, _ = found
    edges = len(pool.tpu.topology.split("x"))
    if edges != kind.dimensions:
        yield Finding(
            f"topology {pool.tpu.topology} has {edges} edges, "
            f"but slices of TPU {kind.name} have {kind.dimensions}",
            context.at(pool.tpu, "topology"),
            also=(machine_label(pool, context),),
            help=f"write a topology such as {kind.small_shapes[1]}",
        )
