from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import JobSet
from clusterprint.derived import checkpoints, existing
from clusterprint.rules.gke._jobs import pool_of, pools_of_class
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE393", severity=Severity.ERROR, source="Google Cloud: multi-tier checkpointing in GKE", firm=True)
def job_without_checkpoints(job: JobSet, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A JobSet saves checkpoints on nodes that keep none.

    Its pods would wait for a driver that only nodes which keep checkpoints have.

    Add `workloads.checkpoints`, or the job's pool to its `node_pools`.
    """
    if not given(job.checkpoints):
        return
    asked = context.blueprint.workloads.checkpoints
    if not given(asked):
        yield Finding(
            f"JobSet {job.name} saves checkpoints, but no nodes keep any",
            context.at(job, "checkpoints"),
            help="add workloads.checkpoints, with a volume and the memory of each node",
        )
        return
    pool = pool_of(job, context)
    if pool is None and existing.has(context.blueprint, job.node_pool):
        yield Finding(
            f"JobSet {job.name} saves checkpoints, but its nodes are not in this blueprint and keep none",
            context.at(job, "checkpoints"),
            help="run it on a pool of node_pools",
        )
    for each in pools_of_class(job, context) or ((pool,) if pool else ()):
        if not checkpoints.keeps(asked, each):
            yield Finding(
                f"JobSet {job.name} saves checkpoints, but nodes of pool {each.name} keep none",
                context.at(job, "checkpoints"),
                also=(context.at(asked, text="nodes that keep some"),),
                help=f"name pool {each.name} in checkpoints.node_pools",
            )
