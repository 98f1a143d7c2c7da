from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import image_builds, node_images
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM190", severity=Severity.ERROR, source="Google Cloud: creating custom images", firm=True)
def image_of_wrong_size(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The image that is built is larger than the boot disk of its nodes, or smaller than its base image.

    An image is as large as the disk that it was made of, and Google refuses a disk that is smaller than its
    image.

    Change `disk_size_gb`, or `boot_disk.size_gb` of the nodes.
    """
    build = nodes.image_build
    if build is UNSET:
        return
    size = image_builds.disk_size_gb(nodes, build)
    least = node_images.default_image(nodes).min_disk_gb or 0 if nodes.image is UNSET else 0
    place = (
        context.at_key(nodes, "image_build")
        if build.disk_size_gb is UNSET
        else context.at(build, "disk_size_gb")
    )
    if size > nodes.boot_disk.size_gb:
        yield Finding(
            f"the image has {size} GB, but the nodes' boot disk only {nodes.boot_disk.size_gb} GB",
            place,
            also=(context.at(nodes.boot_disk, "size_gb", text="the boot disk"),),
            help=f"write disk_size_gb: {nodes.boot_disk.size_gb} or less, or a larger boot disk",
        )
    elif size < least:
        yield Finding(
            f"the image has {size} GB, but its base image takes {least} GB",
            place,
            help=f"write disk_size_gb: {least} or more",
        )
