"""Facts about jobs of every kind, for relations."""

from typing import Any

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import JobSet, TrainJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import (
    auto_creation,
    checkpoints,
    compute_domains,
    existing,
    node_capacity,
    node_pools,
    pod_groups,
    trainer,
)
from clusterprint.diagnostic import Label
from clusterprint.rules._facts import Fact
from clusterprint.rules.gke._jobs import Job, namespace_of, pool_of, pools_of_class
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, given, known, listed

_Context = Context[GkeBlueprint]


def _has_pool(job: Job, context: _Context) -> bool:
    """Whether there are nodes for a job, also where its class or its pool is not known."""
    if given(job.compute_class) or given(job.node_pool):
        return True
    if pool_of(job, context) is not None or existing.has(context.blueprint, UNSET):
        return True
    pools = existing.pools(context.blueprint)
    return len(list(known(pools, lambda each: each.name))) < len(pools)


def _pods(job: Job, context: _Context) -> Any:
    if isinstance(job, MpiJob):
        return job.workers
    pool = pool_of(job, context)
    return UNSET if pool is None else pod_groups.replicas(job, pool) * pod_groups.pods(job, pool)


def _nodes_for_pods(job: Job, context: _Context) -> Any:
    """The most nodes that a job may run on, where no other rule speaks of them."""
    pool = pool_of(job, context)
    if pool is None or (isinstance(job, MpiJob) and node_pools.tpu(pool)):
        return UNSET
    pools = pools_of_class(job, context) or (pool,)
    nodes = sum(node_pools.nodes_for_jobs(context.blueprint, each) for each in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, job.compute_class)
    return UNSET if 0 < compute_domains.domain_nodes(pool) < _pods(job, context) else nodes


def _number(job: Job, context: _Context) -> Label:
    pool = pool_of(job, context)
    return number_label(pool, context) if pool else context.at(job, "name")


def _where(job: Job, context: _Context) -> str:
    pool = pool_of(job, context)
    named = f"compute class {job.compute_class}" if given(job.compute_class) else ""
    return named or f"pool {pool.name if pool else ''}"


def _other_gpus(job: MpiJob, context: _Context) -> int | bool:
    """The GPUs of each node, if a job has more or fewer processes there."""
    gpus = _gpus(pool_of(job, context))
    return gpus if gpus and job.slots_per_worker != gpus else False


def _few_vcpus(job: MpiJob, context: _Context) -> int | bool:
    """The vCPUs of each node without GPUs, if a job has more processes there."""
    pool = pool_of(job, context)
    machine = node_pools.machine(pool) if pool else None
    is_few = machine and given(job.slots_per_worker) and job.slots_per_worker > machine.vcpus
    return machine.vcpus if machine and is_few and not _gpus(pool) else False


def _gpus(pool: NodePool | None) -> int:
    machine = node_pools.machine(pool) if pool else None
    if pool is None or machine is None:
        return 0
    return pool.guest_accelerator.count if given(pool.guest_accelerator) else int(machine.gpus)


def _free(pool: NodePool, _: Context, number: int) -> Any:
    """The vCPUs or the memory of a node for pods."""
    machine = node_pools.machine(pool)
    return node_capacity.room(machine)[number] if machine else UNSET


def _other_hosts(job: Any, context: _Context) -> int | bool:
    """The hosts of a slice, if replicas have another number of pods."""
    pool = pool_of(job, context)
    hosts = node_pools.nodes_per_slice(pool) if pool else 0
    return hosts if pool and hosts and pod_groups.pods(job, pool) != hosts else False


def _unknown_size(job: Job, context: _Context) -> str:
    """The nodes of a job that asks for nothing, if neither their vCPUs nor accelerators are known."""
    if given(job.cpus_per_worker if isinstance(job, MpiJob) else job.cpus_per_pod):
        return ""
    pool = pool_of(job, context)
    if pool is not None:
        known_size = node_pools.machine(pool) or node_pools.is_accelerated(pool)
        return "" if known_size else f"nodes of pool {pool.name}"
    nodes = [
        each
        for each in existing.nodes(context.blueprint)
        if not given(job.node_pool) or each.name == job.node_pool
    ]
    if not nodes or given(nodes[0].vcpus) or nodes[0].gpus:
        return ""
    return f"nodes {nodes[0].name}" if nodes[0].name else "nodes of the cluster"


def _is_queued(job: Job, context: _Context) -> bool:
    return given(job.queue) and given(context.blueprint.workloads.kueue)


def _is_placed(job: Job, context: _Context) -> bool:
    kueue, pool = context.blueprint.workloads.kueue, pool_of(job, context)
    return given(kueue) and pool is not None and pool.name in kueue.topology_pools


def _queues(context: _Context) -> list[tuple[str, str]]:
    """The names and namespaces of queues; none if one of them cannot be read."""
    kueue = context.blueprint.workloads.kueue
    queues = kueue.local_queues if given(kueue) else ()
    names = [name for _, name in known(queues, lambda each: (each.name, each.namespace))]
    return names if len(names) == len(queues) else []


def _is_queue_elsewhere(job: Job, context: _Context) -> bool:
    """Whether only other namespaces have the queue of a job."""
    homes = [home for name, home in _queues(context) if name == job.queue]
    return bool(homes) and namespace_of(job, context) not in homes


def _own_queues(job: Job, context: _Context) -> str:
    names = [name for name, home in _queues(context) if home == namespace_of(job, context)]
    return f"its queues are {listed(names, 'and')}" if names else "it has no queues"


def _is_image_moving(job: Job, _: Context) -> bool:
    if not given(job.image) or "@sha256:" in job.image:
        return False
    return job.image.rpartition("/")[2].partition(":")[2] in {"", "latest"}


def _is_on_existing(job: JobSet, context: _Context) -> bool:
    if not given(context.blueprint.workloads.checkpoints) or pool_of(job, context) is not None:
        return False
    return existing.has(context.blueprint, job.node_pool)


def _pool_without_checkpoints(job: JobSet, context: _Context) -> str:
    """The first pool that a job may run on whose nodes keep no checkpoints."""
    asked, pool = context.blueprint.workloads.checkpoints, pool_of(job, context)
    pools = pools_of_class(job, context) or ((pool,) if pool else ())
    return next((each.name for each in pools if given(asked) and not checkpoints.keeps(asked, each)), "")


def _older_kueue(_: TrainJob, context: _Context) -> str:
    kueue = context.blueprint.workloads.kueue
    return trainer.older_kueue(kueue) if given(kueue) else ""


JOB_FACTS = {
    "few_vcpus": Fact("slots_per_worker", _few_vcpus),
    "free_memory_gb": Fact("machine_type", lambda pool, context: _free(pool, context, 1)),
    "free_vcpus": Fact("machine_type", lambda pool, context: _free(pool, context, 0)),
    "has_pool": Fact("node_pool", _has_pool),
    "is_image_moving": Fact("image", _is_image_moving),
    "is_on_existing": Fact("node_pool", _is_on_existing),
    "is_placed": Fact("keep_within", _is_placed),
    "is_queue_elsewhere": Fact("queue", _is_queue_elsewhere),
    "is_queued": Fact("queue", _is_queued),
    "launcher_asks": Fact(
        "launcher_cpus", lambda job, _: given(job.launcher_cpus) or given(job.launcher_memory_gb)
    ),
    "name_of_library": Fact(
        "implementation", lambda job, _: "Intel MPI" if job.implementation == "intel" else "MPICH"
    ),
    "namespace_of_job": Fact("name", namespace_of),
    "nodes_for_pods": Fact(_number, _nodes_for_pods),
    "older_kueue": Fact("queue", _older_kueue),
    "other_gpus": Fact("slots_per_worker", _other_gpus),
    "other_hosts": Fact("name", _other_hosts),
    "own_queues": Fact("queue", _own_queues),
    "pods": Fact("name", _pods),
    "pool": Fact("node_pool", lambda job, context: pool_of(job, context) or UNSET),
    "pool_without_checkpoints": Fact("node_pool", _pool_without_checkpoints),
    "set_by_trainer": Fact("env", lambda job, _: listed(trainer.overwritten(job), "and")),
    "size_field": Fact(
        "queue", lambda job, _: "cpus_per_worker" if isinstance(job, MpiJob) else "cpus_per_pod"
    ),
    "unknown_size": Fact("queue", _unknown_size),
    "where_it_runs": Fact("node_pool", _where),
}
