from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.slurm import ClusterSlurm
from clusterprint.derived import node_pools, pod_groups, volumes
from clusterprint.derived.queues import has_topology
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._jobs import Job, pool_of
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule, values

_Context = Context[GkeBlueprint]


def _listed(slurm: ClusterSlurm, context: _Context) -> dict[str, Label]:
    """The names of pools in partitions, and where each is listed first."""
    found: dict[str, Label] = {}
    for partition, _ in known(slurm.partitions, lambda each: each.pools):
        for index, name in values(partition, "pools"):
            found.setdefault(name, context.at(partition, "pools", index))
    return found


@rule("GKE542", severity=Severity.ERROR, firm=True)
def slurm_pool_unusable(slurm: ClusterSlurm, context: _Context) -> Iterator[Finding]:
    listed = _listed(slurm, context)
    for pool, name in known(context.blueprint.node_pools, lambda each: each.name):
        if name in listed and (why := _why(pool)):
            yield Finding(
                f"Slurm cannot run on pool {name}: {why[0]}",
                listed[name],
                also=(context.at(pool, "name", text="this pool"),),
                help=why[1],
            )


def _why(pool: NodePool) -> tuple[str, str] | None:
    """The reason, and a way out."""
    if node_pools.tpu(pool):
        return "Slurm knows no TPUs", "leave it out, and run its jobs as JobSets"
    if given(pool.autoscaling):
        return (
            "one worker runs on each node, and none asks the autoscaler for more",
            "write count instead of autoscaling",
        )
    if not node_pools.is_fixed(pool):
        return "flex_start nodes come only for pods that wait", "use another capacity model, such as spot"
    if given(pool.gpu.sharing) or given(pool.gpu.partition_size):
        return "Slurm counts whole GPUs", "remove sharing and partition_size from gpu"
    return None


@rule("GKE543", severity=Severity.WARNING)
def slurm_without_gpu_networks(slurm: ClusterSlurm, context: _Context) -> Iterator[Finding]:
    listed = _listed(slurm, context)
    for pool, name in known(context.blueprint.node_pools, lambda each: each.name):
        if name in listed and has_topology(pool):
            yield Finding(
                f"jobs of Slurm on pool {name} do not use the networks between its GPUs",
                listed[name],
                also=(context.at(pool, "machine_type", text="this machine type has them"),),
                help="for jobs over several nodes, use JobSets or MPI jobs, or Slurm of kind vm",
            )


@rule("GKE544", severity=Severity.ERROR, firm=True)
def slurm_pool_used_otherwise(slurm: ClusterSlurm, context: _Context) -> Iterator[Finding]:
    listed = _listed(slurm, context)
    for name, what, place in _uses(context):
        if name in listed:
            yield Finding(
                f"{what} on pool {name}, whose nodes belong to Slurm",
                place,
                also=(listed[name]._replace(text="of this partition"),),
                help="use another pool here, or leave this one out of the partition",
            )


def _uses(context: _Context) -> Iterator[tuple[str, str, Label]]:
    """The pools that something else needs by name: what that is, and where."""
    blueprint = context.blueprint
    for each, _ in known(blueprint.compute_classes, lambda each: (each.name, each.prefer)):
        for index, name in values(each, "prefer"):
            yield name, f"compute class {each.name} has its pods", context.at(each, "prefer", index)
    kueue = blueprint.workloads.kueue
    if given(kueue):
        for index, name in values(kueue, "topology_pools"):
            yield name, "Kueue places jobs", context.at(kueue, "topology_pools", index)
        for queue, _ in known(kueue.local_queues, lambda each: (each.name, each.quotas)):
            for quota, name in known(queue.quotas, lambda each: each.pool):
                yield name, f"queue {queue.name} has a quota", context.at(quota, "pool")
    mpi = blueprint.workloads.mpi
    jobs: tuple[Job, ...] = (*(mpi.jobs if given(mpi) else ()), *pod_groups.every(blueprint.workloads))
    for job, name in known(jobs, lambda each: each.name):
        pool = pool_of(job, context)
        named = given(job.node_pool)
        if pool is not None and not given(job.compute_class):
            place = context.at(job, "node_pool" if named else "name")
            yield pool.name, f"{job.noun} {name} runs", place


@rule("GKE547", severity=Severity.ERROR, firm=True)
def slurm_mounts_disk(slurm: ClusterSlurm, context: _Context) -> Iterator[Finding]:
    for mount, volume in known(slurm.mounts, lambda each: volume_of(each, context)):
        if volume is not None and volumes.is_own_disk(volume):
            yield Finding(
                f"each pod of Slurm would get another disk {volume.name}, which goes with the pod",
                context.at(mount, "volume"),
                help="mount a file system or a bucket, which the login pod and all workers share",
            )
