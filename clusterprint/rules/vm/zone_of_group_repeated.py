from collections.abc import Iterator

from clusterprint.blueprint.vm_nodes import NodeGroup
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated_values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM164", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def zone_of_group_repeated(group: NodeGroup, context: Context) -> Iterator[Finding]:
    """A zone is listed twice for a group of nodes.

    Nodes are in each listed zone in turn; the same one twice would be two groups of the same name.

    List each zone once.
    """
    yield from repeated_values(
        group,
        "zones",
        context,
        lambda zone: f"zone {zone} is listed twice",
        help="list it once",
    )
