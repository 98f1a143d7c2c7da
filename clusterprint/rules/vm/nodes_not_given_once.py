from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM080", severity=Severity.ERROR, source="The blueprint language: nodes and node_groups", firm=True)
def nodes_not_given_once(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A cluster has both `nodes` and `node_groups`, or neither.

    Where all machines are alike, `nodes` describes them. Where they differ, `node_groups` does: each group
    has a name, and its nodes are named after it.

    Keep one of the two.
    """
    if given(blueprint.nodes) and blueprint.node_groups:
        yield Finding(
            "the machines are described by nodes and by node_groups",
            context.at_key(blueprint, "nodes"),
            also=(context.at_key(blueprint, "node_groups", text="the groups"),),
            help="keep one: move what is in nodes to a group of its own, or remove node_groups",
        )
    elif not given(blueprint.nodes) and not blueprint.node_groups:
        yield Finding(
            "the cluster has no machines",
            context.at_key(blueprint, "node_groups" if context.wrote(blueprint, "node_groups") else "kind"),
            help="add nodes: {machine_type: TYPE}, or node_groups for machines that differ",
        )
