"""Machines that share memory over NVLink."""

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools


def domain_nodes(pool: NodePool) -> int:
    """How many nodes are one NVLink domain, which a pool is; 0 for machines that are none.

    Machines of one domain are those that a group holds only so many of.
    """
    machine = node_pools.machine(pool)
    return (machine.max_group_size or 0) if machine else 0
