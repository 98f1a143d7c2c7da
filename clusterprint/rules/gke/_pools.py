"""Where a node pool says what rules point at."""

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import Context, given


def machine_label(pool: NodePool, context: Context) -> Label:
    """The machine type, as the other side of a contradiction."""
    return context.at(pool, "machine_type", text="the machine type")


def number_label(pool: NodePool, context: Context, text: str = "") -> Label:
    """Where it was decided how many nodes there are: the machine type by default."""
    if given(pool.autoscaling):
        return context.at(pool.autoscaling, "max", text=text)
    return context.at(pool, "count" if given(pool.count) else "machine_type", text=text)


def zones_label(pool: NodePool, context: Context, text: str = "") -> Label:
    """Where it was decided in which zones the nodes are: the machine type by default."""
    if context.wrote(pool, "zones"):
        return context.at(pool, "zones", text=text)
    if context.wrote(context.blueprint, "zone"):
        return context.at(context.blueprint, "zone", text=text)
    return context.at(pool, "machine_type", text=text)


def gpus(pool: NodePool) -> float:
    """How many GPUs each node of a pool has."""
    if given(pool.guest_accelerator):
        return pool.guest_accelerator.count
    machine = node_pools.machine(pool)
    return machine.gpus if machine else 0


def machines_of(pool: NodePool) -> object:
    """The properties of a pool's machines that pods see: alike for pools that the same pod can use."""
    machine = node_pools.machine(pool)
    layout = node_pools.layout(pool)
    found = node_pools.tpu(pool)
    topology = pool.tpu.topology if given(pool.tpu) else ""
    model = machine.gpu if machine else found and (found[0].name, found[1].chips)
    networks = (layout.fabric, layout.extra_vpcs, layout.rdma_subnets, node_pools.network_profile(pool))
    return (gpus(pool), model, topology, networks)
