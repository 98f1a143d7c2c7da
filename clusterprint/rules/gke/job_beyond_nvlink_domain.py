from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import compute_domains, pod_groups
from clusterprint.rules.gke._jobs import Job, pool_of
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule(
    "GKE327",
    severity=Severity.ERROR,
    source="NVIDIA: DRA driver for GPUs, ComputeDomains; Google Cloud: A4X and A4X Max",
    firm=True,
)
def job_beyond_nvlink_domain(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job asks for more nodes than one NVLink domain has.

    A pool of A4X or A4X Max machines is one domain, a rack of 18. A job runs on one pool and has one
    ComputeDomain, in which all its pods share memory; NVLink does not leave the rack. Between racks there is
    RDMA only.

    Write one job of at most 18 pods for each pool, with the same program, and let the program join them over
    RDMA.
    """
    pool = pool_of(job, context)
    if pool is None:
        return
    domain, pods = compute_domains.domain_nodes(pool), _pods(job, pool)
    if not domain or pods <= domain:
        return
    racks = -(-pods // domain)
    yield Finding(
        f"{job.noun} {job.name} asks for {counted(pods, 'node')}, but the NVLink domain of pool "
        f"{pool.name} has {domain}",
        context.at(job, "workers" if isinstance(job, MpiJob) else "name"),
        also=(machine_label(pool, context),),
        help=f"{pods} nodes are {racks} domains: make {racks} pools, with a job of at most {domain} on each",
    )


def _pods(job: Job, pool: NodePool) -> int:
    if isinstance(job, MpiJob):
        return job.workers
    return pod_groups.replicas(job, pool) * pod_groups.pods(job, pool)
