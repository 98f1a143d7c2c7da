from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule
from clusterprint.rules.vm._image import WITHOUT_APT


@rule("VM102", severity=Severity.ERROR, source="Google Cloud: install NCCL/gIB")
def gpudirect_not_installable(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """NCCL's plug-in for RoCE cannot be installed on this image.

    Google publishes the plug-in as a package for Debian and Ubuntu. On other systems the step fails, and with
    it the setup of the node.

    Use an image of Ubuntu or Debian, or remove `gpudirect: true` and bring the plug-in yourself.
    """
    if not given(nodes.gpudirect) or not nodes.gpudirect or nodes.image is UNSET:
        return
    if cooperation.has_roce(nodes) and nodes.image.project in WITHOUT_APT:
        yield Finding(
            "NCCL's plug-in is a package for Ubuntu and Debian, which images of"
            f" {nodes.image.project} are not",
            context.at(nodes, "gpudirect"),
            also=(context.at(nodes.image, "project", text="the image"),),
            help="use another image, or remove gpudirect",
        )
