from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups, node_system
from clusterprint.rules import _metadata
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM062", severity=Severity.ERROR, firm=True)
def metadata_value_too_long(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    for key, size in _metadata.sizes(blueprint).items():
        if size > _metadata.LARGEST_VALUE:
            yield Finding(
                f"metadata {key} has {size:,} bytes, but at most {_metadata.LARGEST_VALUE:,} are allowed",
                context.at_key(blueprint, "metadata", key),
                help="copy it to the nodes with `files` instead",
            )


@rule("VM063", severity=Severity.ERROR, firm=True)
def startup_script_too_long(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    for part, script in _metadata.scripts(blueprint):
        size = _metadata.script_size(script, context)
        if size > _metadata.LARGEST_VALUE:
            yield Finding(
                f"the start-up script has {size:,} bytes,"
                f" but at most {_metadata.LARGEST_VALUE:,} are allowed",
                context.at_key(part, "startup_script"),
                help="copy most of it with `files`, and call it from a short script",
            )


@rule("VM064", severity=Severity.ERROR, firm=True)
def metadata_too_large(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    sizes = _metadata.sizes(blueprint)
    theirs = sum(len(key) + size for key, size in sizes.items())
    for group in node_groups.groups(blueprint):
        script = _metadata.script_size(node_groups.startup_script(blueprint, group), context)
        ours = 0 if node_system.unsuitable(group) else _metadata.setup_size(blueprint, group)
        largest = max([script, ours, *sizes.values()])
        if theirs + script + ours > _metadata.LARGEST_TOTAL and largest <= _metadata.LARGEST_VALUE:
            yield Finding(
                f"the metadata has {theirs + script:,} bytes with the start-up script, and with the setup "
                f"scripts more than the {_metadata.LARGEST_TOTAL:,} that are allowed",
                context.at_key(blueprint, "metadata"),
                help="copy long texts to the nodes with `files` instead",
            )
            return
