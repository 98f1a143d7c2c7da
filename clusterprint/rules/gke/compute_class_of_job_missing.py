from collections.abc import Iterator

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._jobs import Job, kind
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule(
    "GKE340", severity=Severity.ERROR, source="Google Cloud: about custom compute classes in GKE", firm=True
)
def compute_class_of_job_missing(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job names a compute class that does not exist.

    Its pods would wait for nodes of that class forever.

    Name one of `compute_classes`, or add it there.
    """
    classes = [name for _, name in known(context.blueprint.compute_classes, lambda each: each.name)]
    if not given(job.compute_class) or job.compute_class in classes:
        return
    if len(classes) < len(context.blueprint.compute_classes):
        return  # one of them has a name that cannot be read
    meant = nearest(job.compute_class, classes)
    others = f"the classes are {listed(classes, 'and')}" if classes else "add it to compute_classes"
    yield Finding(
        f"{kind(job)} {job.name} runs on compute class {job.compute_class}, but there is no such class",
        context.at(job, "compute_class"),
        help=did_you_mean(meant) or others,
        instead=meant,
    )
