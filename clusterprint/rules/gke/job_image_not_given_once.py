from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.rules.gke._jobs import kind
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE380", severity=Severity.ERROR, source="Kubernetes: container images", firm=True)
def job_image_not_given_once(job: MpiJob | PodGroup, context: Context) -> Iterator[Finding]:
    """A job has no image, or two.

    The image that its pods run is either named (`image`) or one of those that the cluster builds
    (`build`).

    Write exactly one of the two.
    """
    named, built = given(job.image), given(job.build)
    if named and built:
        yield Finding(
            f"{kind(job)} {job.name} has two images",
            context.at(job, "build"),
            also=(context.at(job, "image", text="the other one"),),
            help="remove one of the two",
        )
    elif not named and not built:
        yield Finding(
            f"{kind(job)} {job.name} has no image",
            context.at(job),
            help="add `image`, or `build` with the name of one of image_builds",
        )
