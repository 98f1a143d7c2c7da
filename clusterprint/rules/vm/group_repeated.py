from collections.abc import Iterator

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM082", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def group_repeated(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """Two groups of nodes have the same name.

    A group is identified by its name, in Google Cloud and in the Terraform state, and its nodes are named
    after it.

    Give one of them another name, or make one group of both.
    """
    yield from repeated(
        blueprint.node_groups,
        context,
        lambda group: f"there are two groups of nodes called {group.name}",
        help="give one of them another name",
    )
