"""Helpers of rules about MPI jobs, JobSets, TrainJobs and LeaderWorkerSets."""

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import placement, pod_groups
from clusterprint.rules.context import once
from clusterprint.rules.kit import Context, given, known

Job = MpiJob | PodGroup


def pools_of_class(job: Job, context: Context[KubernetesBlueprint]) -> tuple[NodePool, ...]:
    """The pools of the class that a job names, the preferred one first; none if it names none."""
    if not given(job.compute_class):
        return ()
    pools = [pool for pool, _ in known(context.blueprint.node_pools, lambda each: each.name)]
    classes = [
        each for each, _ in known(context.blueprint.compute_classes, lambda each: (each.name, *each.prefer))
    ]
    return placement.pools_of(job, pools, classes)


def pool_of(job: Job, context: Context[KubernetesBlueprint]) -> NodePool | None:
    """The pool of a job's pods, of several the preferred one; None without one."""
    if given(job.compute_class):
        return next(iter(pools_of_class(job, context)), None)
    found = _pools_found(context)
    wish = isinstance(job, MpiJob), str(job.node_pool) if given(job.node_pool) else ""
    if wish not in found:
        found[wish] = _first_pool(job, context)
    return found[wish]


@once
def _pools_found(_context: Context[KubernetesBlueprint]) -> dict[tuple[bool, str], NodePool | None]:
    """The pools of jobs that were asked for, by whether it was an MPI job and the pool that it names."""
    return {}


def _first_pool(job: Job, context: Context[KubernetesBlueprint]) -> NodePool | None:
    if isinstance(job, MpiJob):
        fitting = known(context.blueprint.node_pools, lambda pool: placement.may_run(job, pool))
    else:
        fitting = known(context.blueprint.node_pools, lambda pool: pod_groups.may_run(job, pool))
    return next((pool for pool, may in fitting if may), None)


def namespace_of(job: Job, context: Context[GkeBlueprint]) -> str:
    """Where its pods are, and its queue has to be."""
    if isinstance(job, PodGroup):
        return job.namespace
    mpi = context.blueprint.workloads.mpi
    return mpi.namespace if given(mpi) else ""
