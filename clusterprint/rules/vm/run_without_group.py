from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import Together
from clusterprint.derived import node_groups
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("VM107", severity=Severity.ERROR, source="The blueprint language: groups of nodes", firm=True)
def run_without_group(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """It is not clear on which group of nodes a program runs.

    A program runs over all nodes of one group. With several groups it has to say which; a group that it names
    has to be there.

    Write the name of one of the groups.
    """
    names = [node_groups.group_name(each) for each in node_groups.groups(context.blueprint)]
    if run.group is UNSET and len(names) > 1:
        yield Finding(
            "the group of nodes that this runs on is not given",
            context.at(run, "group"),
            help=f"write group: {listed(names)}",
        )
