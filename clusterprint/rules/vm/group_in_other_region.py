from collections.abc import Iterator

from clusterprint.blueprint.vm import NodeGroup, VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.rule import Finding, rule


@rule("VM081", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def group_in_other_region(group: NodeGroup, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The zone of a group does not lie in the region of the cluster.

    All groups are in one subnet, and a subnet belongs to one region.

    Name a zone of the cluster's region.
    """
    if not given(group.zone):
        return
    wrong = elsewhere(group.zone, context.blueprint.region)
    if wrong:
        yield Finding(
            wrong.message,
            context.at(group, "zone"),
            also=(context.at(context.blueprint, "region", text="the region of the cluster"),),
            help=wrong.help or f"name a zone of {context.blueprint.region}",
        )
