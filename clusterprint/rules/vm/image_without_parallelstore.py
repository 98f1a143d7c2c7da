from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_images, node_system
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM173", severity=Severity.ERROR, source="Cluster Toolkit: early_run_hotfixes.sh")
def image_without_parallelstore(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A Parallelstore is to be mounted by an image that has no client for it, and nothing can install one.

    Google has deleted the repositories that the client came from (`parallelstore-packages`), and no image of
    a distribution has it. A node without `dfuse` and `daos_agent` fails at its first step.

    Take an image of your own that has both, or have one made: a script of `image_build` can install the
    packages of DAOS, where there are any for the system.
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
                help="take an image that has dfuse and daos_agent, or take kind: lustre",
            )


def _brings_client(nodes: VmNodes) -> bool:
    """Whether it may: nobody knows what images of others have in them."""
    if given(nodes.image_build) and given(nodes.image_build.script):
        return True
    return node_images.project(nodes) not in cooperation.PUBLIC_PROJECTS
