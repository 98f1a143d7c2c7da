"""The GPUs of a node pool."""

from clusterprint import catalog
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.catalog import Gpu
from clusterprint.derived import node_pools
from clusterprint.rules.google._given import given


def gpu_of(pool: NodePool) -> Gpu | None:
    """The model of a pool's GPUs, their own or attached ones; None if there are none that is known."""
    found = node_pools.machine(pool)
    if found is None:
        return None
    return catalog.gpu(pool.guest_accelerator.type) if given(pool.guest_accelerator) else found.gpu
