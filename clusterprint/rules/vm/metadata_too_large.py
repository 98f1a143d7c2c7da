from collections.abc import Iterator

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules import _metadata
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM064", severity=Severity.ERROR, source=_metadata.SOURCE, firm=True)
def metadata_too_large(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """All metadata together, with the start-up script, is larger than 512 KiB.

    Compute Engine counts all keys and values of a machine, and refuses machines with more.

    Copy long texts to the nodes with `files` instead.
    """
    sizes = _metadata.sizes(blueprint)
    sizes[_metadata.STARTUP_SCRIPT] = _metadata.script_size(blueprint, context)
    total = sum(len(key) + size for key, size in sizes.items())
    if total > _metadata.LARGEST_TOTAL and max(sizes.values()) <= _metadata.LARGEST_VALUE:
        yield Finding(
            f"the metadata has {total:,} bytes with the start-up script,"
            f" but at most {_metadata.LARGEST_TOTAL:,} are allowed",
            context.at_key(blueprint, "metadata"),
            help="copy long texts to the nodes with `files` instead",
        )
