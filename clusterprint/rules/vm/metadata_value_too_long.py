from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules import _metadata
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM062", severity=Severity.ERROR, source=_metadata.SOURCE, firm=True)
def metadata_value_too_long(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A metadata value is larger than 256 KiB.

    Compute Engine refuses machines with larger ones.

    Copy a long text to the nodes with `files` instead.
    """
    for key, size in _metadata.sizes(blueprint).items():
        if size > _metadata.LARGEST_VALUE:
            yield Finding(
                f"metadata {key} has {size:,} bytes, but at most {_metadata.LARGEST_VALUE:,} are allowed",
                context.at_key(blueprint, "metadata", key),
                help="copy it to the nodes with `files` instead",
            )
