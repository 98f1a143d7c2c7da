from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM160", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG", firm=True)
def flex_start_updated_at_once(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Flex-start nodes are set to be replaced as soon as something about them changes.

    Flex-start capacity is granted only once, for all nodes together. A group that replaces a node deletes it,
    and cannot create another one.

    Remove `update`. To apply a change to all nodes, destroy the group and queue again.
    """
    if nodes.capacity.model != "flex_start" or nodes.update != "proactive":
        return
    yield Finding(
        "flex_start capacity is granted only once: replacing a node would lose it",
        context.at(nodes, "update"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help="remove update, or write update: opportunistic",
    )
