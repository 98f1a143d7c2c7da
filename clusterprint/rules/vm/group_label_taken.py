from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import names
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM085", severity=Severity.ERROR, source="clusterprint: labels of every resource", firm=True)
def group_label_taken(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A label has the key that says which group of nodes a machine belongs to.

    With `node_groups`, every machine carries `clusterprint-group: <name of its group>`, so that costs and
    dashboards can tell groups apart.

    Give the label another key, or remove it.
    """
    if blueprint.node_groups and names.GROUP_LABEL in blueprint.labels:
        yield Finding(
            f"the label {names.GROUP_LABEL} is set by clusterprint itself",
            context.at_key(blueprint, "labels", names.GROUP_LABEL),
            help="remove it: every machine gets one with the name of its group",
        )
