from collections.abc import Iterator

from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM160", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG", firm=True)
def flex_start_updated_at_once(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Nodes that are queued for are to be replaced as soon as something about them changes.

    The places of flex-start nodes are granted once, all together. A group that replaces a node at once
    deletes it, and nothing brings another one in its place.

    Remove `update`. For nodes that are made from what was changed, destroy the group and queue again.
    """
    if nodes.capacity.model != "flex_start" or nodes.update != "proactive":
        return
    yield Finding(
        "the places of flex_start nodes are granted once: replacing one at once would lose it",
        context.at(nodes, "update"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help="remove update, or write update: opportunistic",
    )
