from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import node_capacity, node_pools
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE105", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def worker_larger_than_node(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A worker asks for more vCPUs or memory than a node has left for pods.

    GKE keeps a part of each node for itself and for the system's own pods. A pod that asks for more than
    the rest fits nowhere, and waits forever.

    Ask for less, leave it out (a worker has its node to itself anyway), or choose a larger machine type.
    """
    pool = pool_of(job, context)
    machine = node_pools.machine(pool) if pool is not None else None
    if pool is None or machine is None:
        return
    cpus, memory = node_capacity.room(machine)
    if given(job.cpus_per_worker) and job.cpus_per_worker > cpus:
        yield Finding(
            f"each worker asks for {job.cpus_per_worker} vCPUs, but a node has about {cpus} for pods",
            context.at(job, "cpus_per_worker"),
            also=(machine_label(pool, context),),
            help=f"ask for at most {cpus}, or leave it out",
        )
    if given(job.memory_gb_per_worker) and job.memory_gb_per_worker > memory:
        yield Finding(
            f"each worker asks for {job.memory_gb_per_worker} GiB of memory, but a node has about {memory} "
            "for pods",
            context.at(job, "memory_gb_per_worker"),
            also=(machine_label(pool, context),),
            help=f"ask for at most {memory}, or leave it out",
        )
