from collections.abc import Iterator

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._jobs import kind
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("GKE381", severity=Severity.ERROR, source="clusterprint: images that are built", firm=True)
def build_of_job_missing(job: MpiJob | PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job names an image that the blueprint does not build.

    `build` is the name of one of `image_builds`. The slice provisioner's own image is no image for jobs.

    Name an image of `image_builds`, or add it there.
    """
    if not given(job.build):
        return
    there = [build.name for build, _ in known(context.blueprint.image_builds, lambda each: each.name)]
    if job.build not in there:
        close = did_you_mean(nearest(job.build, there))
        yield Finding(
            f"{kind(job)} {job.name} uses image {job.build}, but no such image is built",
            context.at(job, "build"),
            help=close or (f"name {listed(there)}" if there else "add it to image_builds"),
        )
