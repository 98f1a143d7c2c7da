from msgspec.structs import replace

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import image_builds
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM191", severity=Severity.ERROR, source="clusterprint: docs/nodes-vm.md", firm=True)
def image_family_shared(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """Two groups build different images of one family.

    A family means its newest image: each build would replace the other one.

    Give one of them another `family`, or make both builds the same.
    """
    first: dict[str, tuple[VmNodes, NodeImageBuild]] = {}
    for nodes, build in image_builds.built(blueprint):
        family = image_builds.family(blueprint, nodes, build)
        before, its_build = first.setdefault(family, (nodes, build))
        if before is nodes or _made_of(blueprint, nodes, build) == _made_of(blueprint, before, its_build):
            continue
        yield Finding(
            f"another group builds another image of the family {family}",
            context.at_key(nodes, "image_build"),
            also=(context.at_key(before, "image_build", text="the other one"),),
            help="give one of them another family",
        )


def _made_of(blueprint: VmBlueprint, nodes: VmNodes, build: NodeImageBuild) -> object:
    """The identity of an image, apart from the content of files."""
    return (
        build,
        image_builds.base(nodes),
        image_builds.disk_size_gb(nodes, build),
        replace(image_builds.settings(blueprint, nodes, build, ""), group="", gpus=0),
        image_builds.packages(blueprint, nodes, build),
    )
