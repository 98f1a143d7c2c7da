from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import node_pools
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE163", severity=Severity.ERROR, source="Kueue: flavors and node selectors of workloads")
def queued_launcher_on_system_pool(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A queued MPI job has its launcher on the system pool, of which the queue has no quota.

    Kueue puts each pod of a job that asks for anything on a pool with a quota. The system pool has none, so a
    launcher that is bound to it is never admitted. Where jobs are placed by topology, each launcher asks for
    something.

    Leave `launcher_node_pool` out: without it, `launcher_cpus` and `launcher_memory_gb`, the queue does not
    count the launcher, and it runs on the system pool; with a topology it runs beside a worker.
    """
    if not given(job.queue):
        return
    kueue, pool = context.blueprint.workloads.kueue, pool_of(job, context)
    placed = given(kueue) and pool is not None and pool.name in kueue.topology_pools
    asks = given(job.launcher_cpus) or given(job.launcher_memory_gb) or placed
    if given(job.launcher_node_pool) and job.launcher_node_pool == node_pools.SYSTEM_POOL and asks:
        yield Finding(
            f"queue {job.queue} has no quota of the system pool for the launcher of MPI job {job.name}",
            context.at(job, "launcher_node_pool"),
            also=(context.at(job, "queue", text="the queue"),),
            help="remove launcher_node_pool"
            if placed
            else "remove launcher_cpus and launcher_memory_gb, or name a pool of node_pools",
        )
