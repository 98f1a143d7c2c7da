from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE389", severity=Severity.WARNING, source="Kubernetes: container images")
def job_image_moves(job: MpiJob | PodGroup, context: Context) -> Iterator[Finding]:
    """A job runs the latest image at the time when its pods start.

    Without a tag, an image is its `latest`, which every push moves. The pods of one run may then run
    different programs, and a run cannot be repeated later.

    Name the image by a tag of its own, better by its digest; or let `image_builds` build it, whose lock file
    keeps the digest.
    """
    if not given(job.image) or "@sha256:" in job.image:
        return
    tag = job.image.rpartition("/")[2].partition(":")[2]
    if tag in {"", "latest"}:
        yield Finding(
            f"the image of {job.noun} {job.name} can change with each push: {job.image}",
            context.at(job, "image"),
            help="write it as IMAGE@sha256:...; `docker buildx imagetools inspect IMAGE` shows the digest",
        )
