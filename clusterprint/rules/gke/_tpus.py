"""The TPU slice of a pool, if it has one that makes sense."""

from typing import NamedTuple

from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.catalog import TpuMachine, TpuType
from clusterprint.derived import node_pools
from clusterprint.rules.google._given import given


class Slice(NamedTuple):
    """A pool of TPU machines, and the topology that it has to have."""

    kind: TpuType
    machine: TpuMachine
    topology: str
    nodes: int

    @property
    def spans_hosts(self) -> bool:
        """Whether several machines make up one slice."""
        return self.nodes > 1


def slice_of(pool: NodePool | AutoCreation) -> Slice | None:
    """The slice that a pool is; None for other pools, and for what is no slice (other rules say so)."""
    found = node_pools.tpu(pool)
    if found is None or not given(pool.tpu):
        return None
    nodes = node_pools.nodes_per_slice(pool)
    return Slice(*found, pool.tpu.topology, nodes) if nodes else None
