from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import NodeGroup
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule, values


@rule("VM081", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def group_in_other_region(group: NodeGroup, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The zone of a group is not in the region of the cluster.

    All groups are in one subnet, and a subnet belongs to one region.

    Name a zone of the cluster's region.
    """
    zones = [(zone, context.at(group, "zones", index)) for index, zone in values(group, "zones")]
    if given(group.zone):
        zones.append((group.zone, context.at(group, "zone")))
    for zone, place in zones:
        wrong = elsewhere(zone, context.blueprint.region)
        if wrong:
            yield Finding(
                wrong.message,
                place,
                also=(context.at(context.blueprint, "region", text="the region of the cluster"),),
                help=wrong.help or f"name a zone of {context.blueprint.region}",
            )
