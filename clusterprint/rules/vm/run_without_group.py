from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import Together
from clusterprint.derived import node_groups, vm_runs
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("VM107", severity=Severity.ERROR, source="The blueprint language: groups of nodes", firm=True)
def run_without_group(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """It is not clear on which group of nodes a program runs.

    A program runs over all nodes of one group. With several groups it has to say which; a group that it names
    has to be there.

    Write the name of one of the groups.
    """
    blueprint = context.blueprint
    if vm_runs.group_of(blueprint, run):
        return
    names = [node_groups.group_name(each) for each in node_groups.groups(blueprint)]
    if run.group is UNSET:
        if len(names) > 1:
            yield Finding(
                "the group of nodes that this runs on is not given",
                context.at(run, "group"),
                help=f"write group: {listed(names)}",
            )
        return
    guess = ""
    if names == [""]:
        help_text = "remove group: the cluster has no groups"
    else:
        guess = nearest(run.group, names)
        help_text = did_you_mean(*([guess] if guess else names))
    yield Finding(
        f"there is no group of nodes called {run.group}",
        context.at(run, "group"),
        help=help_text,
        instead=guess,
    )
