from clusterprint.blueprint.vm_nodes import NodeGroup
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM163", severity=Severity.ERROR, source="The blueprint language: one way to say it", firm=True)
def zone_and_zones_given(group: NodeGroup, context: Context) -> Iterator[Finding]:
    """A group of nodes has both a zone and zones.

    `zones` replaces `zone`: nodes are in each of them in turn.

    Remove one of them.
    """
    if given(group.zone) and group.zones:
        yield Finding(
            f"group {group.name} has both zone and zones",
            context.at_key(group, "zones"),
            also=(context.at(group, "zone", text="the zone"),),
            help="remove zone: zones replaces it",
        )
