from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import existing
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE101", severity=Severity.ERROR, source="Kubernetes: assigning pods to nodes", firm=True)
def mpi_pool_missing(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The workers of an MPI job have no node pool to run on.

    Workers run on the nodes of one pool: the one that the job names, or the first one without TPUs.

    Name a pool of this blueprint, or add one.
    """
    if given(job.compute_class):
        return  # its pools are those of the class
    if given(job.node_pool) or pool_of(job, context) is not None or existing.has(context.blueprint, UNSET):
        return
    pools = existing.pools(context.blueprint)
    if len(list(known(pools, lambda each: each.name))) == len(pools):
        yield Finding(
            f"MPI job {job.name} has no node pool to run on",
            context.at(job, "name"),
            help="add a pool without TPUs to node_pools",
        )
