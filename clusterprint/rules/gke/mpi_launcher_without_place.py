from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import existing, node_pools
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE161", severity=Severity.ERROR, source="Kubernetes: assigning pods to nodes", firm=True)
def mpi_launcher_without_place(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The launcher of an MPI job names a node pool that does not exist, or that its image cannot run on.

    Launcher and workers have one image, and so processors of one kind. Nodes with TPUs take no other pods.

    Name a pool of this blueprint, or `system`, or leave `launcher_node_pool` out.
    """
    if not given(job.launcher_node_pool):
        return
    own = not existing.is_existing(context.blueprint)
    name = job.launcher_node_pool
    pools = {each: pool for pool, each in known(existing.pools(context.blueprint), lambda item: item.name)}
    if name not in pools and not (own and name == node_pools.SYSTEM_POOL):
        if name == node_pools.SYSTEM_POOL:
            yield Finding(
                f"the launcher of MPI job {job.name} runs on pool system, which only a created cluster has",
                context.at(job, "launcher_node_pool"),
                help="name nodes of cluster.existing, or remove it",
            )
        return
    if name in pools and node_pools.tpu(pools[name]):
        yield Finding(
            f"the launcher of MPI job {job.name} runs on pool {name}, whose nodes have TPUs",
            context.at(job, "launcher_node_pool"),
            help="name another pool, or system",
        )
        return
    workers = pool_of(job, context)
    where = catalog.machine(
        pools[name].machine_type if name in pools else context.blueprint.system_pool.machine_type
    )
    theirs = node_pools.machine(workers) if workers else None
    if where and theirs and where.architecture != theirs.architecture:
        yield Finding(
            f"the launcher of MPI job {job.name} runs on {where.architecture}, and its workers with the same "
            f"image on {theirs.architecture}",
            context.at(job, "launcher_node_pool"),
            help="remove launcher_node_pool, or name a pool of the same processors",
        )
