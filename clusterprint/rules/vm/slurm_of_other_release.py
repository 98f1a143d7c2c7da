import re

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_groups, node_images, node_slurm
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# Releases by the name of an image, and the oldest whose Slurm lets nodes register themselves (22.05).
_RELEASE = re.compile(r"(ubuntu|debian)[-a-z]*?-?(\d{4}|\d{1,2})(?!\d)")
_OLDEST = {"ubuntu": "2404", "debian": "12"}


@rule("VM232", severity=Severity.ERROR)
def slurm_of_other_release(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    head = node_slurm.controller(context.blueprint, slurm)
    own = _release(head) if head is not None else None
    for group in node_groups.groups(context.blueprint):
        found = _release(group)
        if found is None:
            continue
        system, version = found
        if int(version) < int(_OLDEST[system]):
            problem = f"Slurm of {system} {version} is too old: its nodes cannot register themselves"
        elif own is not None and found != own:
            problem = (
                f"Slurm of {system} {version} is another version than the controller's, of {' '.join(own)}"
            )
        else:
            continue
        yield Finding(
            problem,
            context.at(group, "machine_type") if group.image is UNSET else context.at_key(group, "image"),
            also=(context.at_key(context.blueprint.bootstrap, "slurm", text="asked for here"),),
            help="use images of Ubuntu 24.04, or of Debian 12, for all groups",
        )


def _release(group: VmNodes) -> tuple[str, str] | None:
    """The system and its release, as far as the name of the image tells."""
    image = group.image
    if image is UNSET:
        name = node_images.default_image(group).family
    else:
        name = str(image.name if image.family is UNSET else image.family)
    match = _RELEASE.search(name)
    return (match[1], match[2]) if match else None
