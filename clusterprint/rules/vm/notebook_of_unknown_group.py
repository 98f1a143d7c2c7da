from collections.abc import Iterator

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_notebook import Notebook
from clusterprint.derived import node_groups
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM185", severity=Severity.ERROR, source="clusterprint: docs/nodes-vm.md", firm=True)
def notebook_of_unknown_group(notebook: Notebook, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """JupyterLab is set for a group of nodes that does not exist.

    No node would have it.

    Name a group of `node_groups`, or leave `group` out for all nodes.
    """
    if not given(notebook.group):
        return
    names = [name for each in node_groups.groups(context.blueprint) if (name := node_groups.group_name(each))]
    if notebook.group not in names:
        yield Finding(
            f"there is no group of nodes called {notebook.group}",
            context.at(notebook, "group"),
            help=f"name one of: {', '.join(names)}; or remove it" if names else "remove it",
        )
