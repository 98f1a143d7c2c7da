from clusterprint.blueprint.ray.ray import Ray
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY020", severity=Severity.WARNING, source="Kubernetes: container images")
def image_not_by_digest(ray: Ray, context: Context) -> Iterator[Finding]:
    """The image of the Ray pods is named by a tag, or by nothing.

    A tag can be moved. Workers that come later then run other code than those that run already, and Ray
    refuses, or worse does not refuse, to let them work together.

    Name the image by its digest, or let `image_build` build one: its lock file keeps the digest.
    """
    if given(ray.image) and "@sha256:" not in ray.image:
        yield Finding(
            f"the image {ray.image} can change: a tag may be moved to another image",
            context.at(ray, "image"),
            help="write it as IMAGE@sha256:...; `docker buildx imagetools inspect IMAGE` shows the digest",
        )
