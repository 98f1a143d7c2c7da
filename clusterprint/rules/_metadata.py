"""The size of a node's metadata, and its limit."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.broken import Unknowable
from clusterprint.blueprint.content import Script
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_containers, node_groups, node_settings, node_system
from clusterprint.nodes.vm import LIMIT, TOTAL_LIMIT, metadata
from clusterprint.rules import _paths
from clusterprint.rules.context import Context

SOURCE = "Compute Engine API: Metadata"

LARGEST_VALUE = LIMIT
LARGEST_TOTAL = TOTAL_LIMIT


def scripts(blueprint: VmBlueprint) -> Iterator[tuple[Part, Script]]:
    """The start-up scripts of a cluster, its own and those of its groups, each with the part that has it."""
    for part in (blueprint, *node_groups.groups(blueprint)):
        script = getattr(part, "startup_script", UNSET)
        if script is not UNSET:
            yield part, script


def script_size(script: Script | UnsetType, context: Context) -> int:
    """The size of a start-up script in bytes; 0 if there is none that could be read."""
    if script is UNSET:
        return 0
    if script.inline is not UNSET:
        return len(script.inline.encode("utf-8", "surrogatepass"))
    named = _paths.named(script, context)
    return named.path.stat().st_size if named and named.sort is _paths.Sort.FILE else 0


def set_up(blueprint: VmBlueprint) -> tuple[VmNodes, ...]:
    """The groups of nodes that our scripts set up."""
    return tuple(each for each in node_groups.groups(blueprint) if not node_system.unsuitable(each))


def setup_size(blueprint: VmBlueprint, group: VmNodes) -> int:
    """The size in bytes of what sets up the nodes of a group, without their own start-up script."""
    container = node_containers.container_of(blueprint, group)
    if container is not UNSET and not node_containers.is_printable(container):
        raise Unknowable  # it was reported, and cannot be carried to a node at all
    return sum(map(len, metadata(node_settings.settings(blueprint, group, "")).values()))


def sizes(blueprint: VmBlueprint) -> dict[str, int]:
    """The size of each value of the metadata in bytes."""
    return {key: len(value.encode("utf-8", "surrogatepass")) for key, value in blueprint.metadata.items()}
