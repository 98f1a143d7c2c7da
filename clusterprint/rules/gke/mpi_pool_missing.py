from collections.abc import Iterator

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.derived import existing
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("GKE101", severity=Severity.ERROR, source="Kubernetes: assigning pods to nodes", firm=True)
def mpi_pool_missing(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The workers of an MPI job have no node pool to run on.

    Workers run on the nodes of one pool: the one that the job names, or the first one without TPUs.

    Name a pool of this blueprint, or add one.
    """
    if given(job.compute_class):
        return  # its pools are those of the class
    if pool_of(job, context) is not None or existing.has(context.blueprint, job.node_pool):
        return
    pools = [name for _, name in known(existing.pools(context.blueprint), lambda each: each.name)]
    if len(pools) < len(existing.pools(context.blueprint)):
        return  # one of them has a name that cannot be read
    if not given(job.node_pool):
        yield Finding(
            f"MPI job {job.name} has no node pool to run on",
            context.at(job, "name"),
            help="add a pool without TPUs to node_pools",
        )
        return
    meant = nearest(job.node_pool, pools)
    others = f"the pools are {listed(pools, 'and')}" if pools else "add it to node_pools"
    yield Finding(
        f"MPI job {job.name} runs on pool {job.node_pool}, but there is no such pool",
        context.at(job, "node_pool"),
        help=did_you_mean(meant) or others,
        instead=meant,
    )
