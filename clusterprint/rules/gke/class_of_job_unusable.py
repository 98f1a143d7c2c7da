from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._jobs import Job, pools_of_class
from clusterprint.rules.gke._pools import machines_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE342", severity=Severity.ERROR, firm=True)
def class_of_job_unusable(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    first: tuple[NodePool, object] | None = None
    look = known(pools_of_class(job, context), lambda each: ((machines_of(each), _zone(each, context)),))
    for pool, sort in look:
        why = _unusable(job, pool)
        if not why and first and sort != first[1]:
            why = f"other machines or networks than pool {first[0].name}"
        first = first or (pool, sort)
        if why:
            yield Finding(
                f"{job.noun} {job.name} cannot run on pool {pool.name} of its class, which has {why}",
                context.at(job, "compute_class"),
                also=(context.at(pool, "machine_type", text="the machine type"),),
                help="use a compute class whose pools have the same machines",
            )
            return


def _unusable(job: Job, pool: NodePool) -> str:
    if node_pools.tpu(pool) and (isinstance(job, MpiJob) or node_pools.nodes_per_slice(pool) > 1):
        return "TPUs" if isinstance(job, MpiJob) else "TPU slices of several hosts"
    return "queued nodes" if pool.capacity.queued and pool.capacity.model == "flex_start" else ""


def _zone(pool: NodePool, context: Context[GkeBlueprint]) -> str:
    """Where the network for RDMA of a pool is; empty for pools without."""
    has_rdma = node_pools.layout(pool).rdma_vpcs
    return node_pools.zones(context.blueprint, pool)[0] if has_rdma else ""
