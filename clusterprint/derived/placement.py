"""The node pools that a workload runs on."""

from collections.abc import Iterable

from msgspec import UNSET

from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import node_pools, pod_groups


def may_run(job: MpiJob, pool: NodePool) -> bool:
    """Whether the workers of a job may run on a pool: the one that is named, or any without TPUs.

    Of several, they run on the first.
    """
    return node_pools.tpu(pool) is None if job.node_pool is UNSET else pool.name == job.node_pool


def pools_of(
    job: MpiJob | PodGroup, pools: Iterable[NodePool], classes: Iterable[ComputeClass]
) -> tuple[NodePool, ...]:
    """The pools that the pods of a job run on: one, or those of its class, the preferred one first."""
    if job.compute_class is not UNSET:
        by_name = {pool.name: pool for pool in pools}
        order = (name for each in classes if each.name == job.compute_class for name in each.prefer)
        return tuple(by_name[name] for name in order if name in by_name)
    if isinstance(job, MpiJob):
        return tuple(pool for pool in pools if may_run(job, pool))[:1]
    return tuple(pool for pool in pools if pod_groups.may_run(job, pool))[:1]


def pools_named_by(worker: Worker, classes: Iterable[ComputeClass]) -> frozenset[str]:
    """The names of the pools that a group of workers may run on: its own, or those of its class.

    None are named where they run on any nodes of a cluster that is there.
    """
    if worker.pool is not UNSET:
        return frozenset([worker.pool])
    return frozenset(name for each in classes if each.name == worker.compute_class for name in each.prefer)
