from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import names
from clusterprint.image import lock
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE387", severity=Severity.NOTE)
def job_waits_for_image(job: MpiJob | PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not given(job.build) or job.build not in {each.name for each in context.blueprint.image_builds}:
        return
    name = names.build_lock(context.blueprint.name, job.build)
    try:
        locked = lock.read(context.folder / name)
    except lock.BrokenLock:
        return  # which another rule says
    if locked is None:
        yield Finding(
            f"{job.noun} {job.name} is left out until image {job.build} has been built",
            context.at(job, "build"),
            help="`clusterprint up BLUEPRINT --build-images` creates the cluster, the image and the job",
        )
