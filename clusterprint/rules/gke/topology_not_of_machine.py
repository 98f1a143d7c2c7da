from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule(
    "GKE024",
    severity=Severity.ERROR,
    source="Cluster Toolkit, XPK and TPU Provisioner: shapes of TPU slices",
    firm=True,
)
def topology_not_of_machine(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The TPU type has a slice of this topology, but not of machines of this size.

    Machines with one chip are a slice of 1x1, and nothing more. Machines with eight chips are a whole 2x4
    each, and cannot be joined. Everything else is made of machines with four chips.

    Write the machine type or the topology that the help names.
    """
    found = node_pools.tpu(pool)
    if found is None or not given(pool.tpu):
        return
    kind, topology = found[0], pool.tpu.topology
    if not kind.is_slice(topology) or kind.node_count(topology, pool.machine_type):
        return
    machines = [name for name in kind.machines if kind.node_count(topology, name)]
    shapes = [shape for shape in kind.small_shapes if kind.node_count(shape, pool.machine_type)]
    yield Finding(
        f"a slice {topology} of TPU {kind.name} is not made of {pool.machine_type}",
        context.at(pool.tpu, "topology"),
        also=(machine_label(pool, context),),
        help=f"write machine_type: {listed(machines)}"
        + (f", or topology: {listed(shapes)}" if shapes else ""),
    )
