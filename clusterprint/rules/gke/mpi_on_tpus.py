from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import node_pools
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE102", severity=Severity.ERROR, source="Google Cloud: about TPUs in GKE", firm=True)
def mpi_on_tpus(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """An MPI job runs on a pool of TPUs.

    Workers of MPI jobs are given processors and GPUs. Programs for TPUs talk to each other through the slice
    and are run by a JobSet.

    Name another pool, or run the program as a JobSet under `manifests`.
    """
    pool = pool_of(job, context)
    if pool is not None and node_pools.tpu(pool):
        yield Finding(
            f"MPI job {job.name} runs on pool {pool.name}, whose nodes have TPUs",
            context.at(job, "node_pool"),
            also=(context.at(pool, "machine_type", text="the machine type"),),
            help="name a pool without TPUs",
        )
