"""Which node pools a workload runs on."""

from collections.abc import Iterable

from msgspec import UNSET

from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.mpi import MpiJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import node_pools


def may_run(job: MpiJob, pool: NodePool) -> bool:
    """Whether the workers of a job may run on a pool: the one that is named, or any without TPUs.

    Of several, they run on the first.
    """
    return node_pools.tpu(pool) is None if job.node_pool is UNSET else pool.name == job.node_pool


def pool_of(job: MpiJob, pools: Iterable[NodePool]) -> NodePool | None:
    """The pool that the workers of a job run on; None if there is none."""
    return next((pool for pool in pools if may_run(job, pool)), None)


def pools_named_by(worker: Worker, classes: Iterable[ComputeClass]) -> frozenset[str]:
    """The names of the pools that a group of workers may run on: its own, or those of its class.

    None are named where they run on any nodes of a cluster that is there.
    """
    if worker.pool is not UNSET:
        return frozenset([worker.pool])
    return frozenset(name for each in classes if each.name == worker.compute_class for name in each.prefer)
