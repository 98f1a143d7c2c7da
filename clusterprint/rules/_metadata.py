"""How large the metadata of a node may be, and how large it is."""

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules import _paths
from clusterprint.rules.context import Context

SOURCE = "Compute Engine API: Metadata"

LARGEST_VALUE = 256 * 1024
LARGEST_TOTAL = 512 * 1024

STARTUP_SCRIPT = "startup-script"


def script_size(blueprint: VmBlueprint, context: Context) -> int:
    """The size of the start-up script in bytes; 0 if there is none that could be read."""
    script = blueprint.startup_script
    if script is UNSET:
        return 0
    if script.inline is not UNSET:
        return len(script.inline.encode("utf-8", "surrogatepass"))
    named = _paths.named(script, context)
    return named.path.stat().st_size if named and named.sort is _paths.Sort.FILE else 0


def sizes(blueprint: VmBlueprint) -> dict[str, int]:
    """The size of each value of the metadata in bytes."""
    return {key: len(value.encode("utf-8", "surrogatepass")) for key, value in blueprint.metadata.items()}
