from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.rules.gke._jobs import Job, kind
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE341", severity=Severity.ERROR, source="Kueue: resource flavors; GKE: compute classes", firm=True)
def compute_class_beside_other_choice(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job names a compute class, and something else that says where its pods run.

    A node pool does so, and so does a queue: Kueue assigns pods to the nodes of a flavor in an order of its
    own, and ignores the order of a class.

    Keep one of the two. The flavors of a queue are tried in their order, too.
    """
    if not given(job.compute_class):
        return
    for field, value in (("node_pool", job.node_pool), ("queue", job.queue)):
        if given(value):
            yield Finding(
                f"{kind(job)} {job.name} has both compute_class and {field}",
                context.at_key(job, "compute_class"),
                also=(context.at(job, field, text="the other one"),),
                help=f"remove compute_class, or {field}",
            )
