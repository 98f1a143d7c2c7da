from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import image_builds, node_system
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM194", severity=Severity.WARNING, source="clusterprint: docs/nodes-vm.md")
def image_build_of_nothing(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The image that is built would be the same as its base.

    It has no script and no files, and these nodes install nothing by themselves that an image could have.

    Write a `script`, or remove `image_build`.
    """
    build = nodes.image_build
    if build is UNSET or build.script is not UNSET or build.files or not node_system.takes_packages(nodes):
        return
    if image_builds.packages(context.blueprint, nodes, build):
        return
    settings = image_builds.settings(context.blueprint, nodes, build, "")
    installs = (settings.docker, settings.mpi, settings.notebook_port, settings.driver, settings.dcgm)
    if not any(installs):
        yield Finding(
            "the image that is built adds nothing to its base",
            context.at_key(nodes, "image_build"),
            help="write a script, or remove image_build",
        )
