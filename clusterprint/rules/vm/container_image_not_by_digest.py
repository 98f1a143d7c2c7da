from clusterprint.blueprint.container import Container
from clusterprint.blueprint.vm_ray import NodeRay
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM122", severity=Severity.NOTE, source="Docker: image digests")
def container_image_not_by_digest(container: Container | NodeRay, context: Context) -> Iterator[Finding]:
    """The image of the nodes' container, or of Ray on them, is named by a tag, or by nothing.

    A tag can be moved. Nodes that are created later then run another program than existing ones, which keep
    the image that they have.

    Name the image by its digest: IMAGE@sha256:...
    """
    # The official image, which is taken where none is named, is one version of Ray's.
    if container.image is not UNSET and "@sha256:" not in container.image:
        yield Finding(
            f"the image {container.image} can change: a tag may be moved to another image",
            context.at(container, "image"),
            help="write it as IMAGE@sha256:...; `docker buildx imagetools inspect IMAGE` shows the digest",
        )
