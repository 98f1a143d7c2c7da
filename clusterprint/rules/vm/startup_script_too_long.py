from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules import _metadata
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM063", severity=Severity.ERROR, source=_metadata.SOURCE, firm=True)
def startup_script_too_long(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """The start-up script is larger than 256 KiB.

    It travels to the nodes as a metadata value, and Compute Engine refuses machines with larger ones.

    Copy the bulk of it to the nodes with `files`, and call it from a short start-up script.
    """
    for part, script in _metadata.scripts(blueprint):
        size = _metadata.script_size(script, context)
        if size > _metadata.LARGEST_VALUE:
            yield Finding(
                f"the start-up script has {size:,} bytes,"
                f" but at most {_metadata.LARGEST_VALUE:,} are allowed",
                context.at_key(part, "startup_script"),
                help="copy most of it with `files`, and call it from a short script",
            )
