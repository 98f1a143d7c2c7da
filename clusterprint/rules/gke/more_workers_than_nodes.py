from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import auto_creation, compute_domains, node_pools
from clusterprint.rules.gke._jobs import pool_of, pools_of_class
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE103", severity=Severity.ERROR, source="Kubernetes: inter-pod affinity and anti-affinity")
def more_workers_than_nodes(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """An MPI job has more workers than its pool has nodes.

    Each worker has a node to itself. The launcher starts when all workers are ready, so such a job waits
    forever.

    Ask for fewer workers with more slots, or give the pool more nodes.
    """
    pool = pool_of(job, context)
    if pool is None or node_pools.tpu(pool):
        return
    pools = pools_of_class(job, context) or (pool,)
    nodes = sum(node_pools.max_nodes(context.blueprint, each) for each in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, job.compute_class)
    if job.workers > nodes and not 0 < compute_domains.domain_nodes(pool) < job.workers:
        what = f"compute class {job.compute_class}" if given(job.compute_class) else f"pool {pool.name}"
        yield Finding(
            f"MPI job {job.name} has {counted(job.workers, 'worker')}, but {what} has at most "
            f"{counted(nodes, 'node')}",
            context.at(job, "workers"),
            also=(number_label(pool, context, text="its nodes"),),
            help=f"ask for at most {counted(nodes, 'worker')}, or give the pool more nodes",
        )
