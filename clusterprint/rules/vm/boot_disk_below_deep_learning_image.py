from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_PROJECT = "deeplearning-platform-release"
_LEAST_GB = 50


@rule("VM020", severity=Severity.WARNING, source="Google Cloud: Deep Learning VM Images")
def boot_disk_below_deep_learning_image(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The boot disk is smaller than a Deep Learning VM image.

    These images bring frameworks and take 50 GB; Google refuses a disk that is smaller than its image.

    Write a larger `size_gb`, or leave it out.
    """
    if nodes.image is UNSET or nodes.image.project != _PROJECT or nodes.boot_disk.size_gb >= _LEAST_GB:
        return
    yield Finding(
        f"Deep Learning VM images take {_LEAST_GB} GB, but the boot disk has {nodes.boot_disk.size_gb} GB",
        context.at(nodes.boot_disk, "size_gb"),
        also=(context.at(nodes.image, "project", text="Deep Learning VM images"),),
        help=f"write size_gb: {_LEAST_GB} or more",
    )
