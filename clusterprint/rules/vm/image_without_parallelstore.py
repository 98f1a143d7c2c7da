from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_images, node_system
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule


@rule("VM173", severity=Severity.ERROR, source="Cluster Toolkit: early_run_hotfixes.sh")
def image_without_parallelstore(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A Parallelstore is mounted by an image without a client for it, and none can be installed.

    Google deleted the repositories of the client (`parallelstore-packages`), and no public image includes it.
    The setup of a node without `dfuse` and `daos_agent` fails at its first step.

    Use an image of your own that has both, or build one: a script of `image_build` can install the packages
    of DAOS, if there are any for the operating system.
    """
    if _brings_client(nodes) or not node_system.takes_packages(nodes):
        return
    for volume, kind in known(context.blueprint.storage.volumes, lambda each: each.kind):
        if kind == "parallelstore":
            project = node_images.project(nodes)
            yield Finding(
                f"images of {project} have no client for volume {volume.name}, a Parallelstore, and none can "
                "be installed",
                context.at(nodes, "machine_type")
                if nodes.image is UNSET
                else context.at(nodes.image, "project"),
                also=(context.at(volume, "kind", text="the volume"),),
                help="use an image that has dfuse and daos_agent, or use kind: lustre",
            )


def _brings_client(nodes: VmNodes) -> bool:
    """Whether it may: nobody knows what images of others have in them."""
    if given(nodes.image_build) and given(nodes.image_build.script):
        return True
    return node_images.project(nodes) not in cooperation.PUBLIC_PROJECTS
