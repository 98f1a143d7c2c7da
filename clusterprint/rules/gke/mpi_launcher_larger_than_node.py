from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi import MpiJob
from clusterprint.derived import node_capacity, node_pools
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE164", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def mpi_launcher_larger_than_node(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The launcher of an MPI job asks for more than a node of its pool has left.

    It waits for ever, with workers that wait for it. Without `launcher_node_pool` it runs on the system pool.

    Ask for less, or name a pool of larger machines as `launcher_node_pool`.
    """
    name = job.launcher_node_pool if given(job.launcher_node_pool) else node_pools.SYSTEM_POOL
    types = {
        each: pool.machine_type for pool, each in known(context.blueprint.node_pools, lambda it: it.name)
    }
    types[node_pools.SYSTEM_POOL] = context.blueprint.system_pool.machine_type
    machine = catalog.machine(types.get(name, ""))
    if machine is None:
        return
    room = node_capacity.room(machine)
    for field, wanted, most, unit in (
        ("launcher_cpus", job.launcher_cpus, room.cpus, "cores"),
        ("launcher_memory_gb", job.launcher_memory_gb, room.memory_gb, "GiB of memory"),
    ):
        if given(wanted) and wanted > most:
            yield Finding(
                f"the launcher of MPI job {job.name} asks for {wanted} {unit}, but a node of pool {name} has "
                f"{most} for pods",
                context.at(job, field),
                help=f"write {field}: {most}, or name a pool of larger machines as launcher_node_pool",
            )
