from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import node_pools
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE104", severity=Severity.WARNING, source="Kubeflow: MPI training, slots per worker")
def slots_unlike_gpus(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """An MPI job runs more or fewer processes on a node than it has GPUs, or more than it has vCPUs.

    A process drives one GPU. With fewer processes GPUs stay idle; with more, processes share one and slow
    each other down. The same is true of more processes than vCPUs.

    Leave `slots_per_worker` out: it is then the number of GPUs.
    """
    pool = pool_of(job, context)
    slots = job.slots_per_worker
    machine = node_pools.machine(pool) if pool is not None else None
    if pool is None or machine is None or not given(slots):
        return
    gpus = pool.guest_accelerator.count if given(pool.guest_accelerator) else int(machine.gpus)
    if gpus and slots != gpus:
        yield Finding(
            f"MPI job {job.name} has {counted(slots, 'slot')} on each node, which has {counted(gpus, 'GPU')}",
            context.at(job, "slots_per_worker"),
            also=(machine_label(pool, context),),
            help=f"leave it out, or write {gpus}",
        )
    elif not gpus and slots > machine.vcpus:
        yield Finding(
            f"MPI job {job.name} has {counted(slots, 'slot')} on each node, which has "
            f"{counted(machine.vcpus, 'vCPU')}",
            context.at(job, "slots_per_worker"),
            also=(machine_label(pool, context),),
            help=f"write at most {machine.vcpus}, or choose a larger machine type",
        )
