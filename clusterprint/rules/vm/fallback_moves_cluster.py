from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule(
    "VM250",
    severity=Severity.ERROR,
    source="The blueprint language: an order of wishes for capacity",
    firm=True,
)
def fallback_moves_cluster(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A fallback has another zone, but the nodes of this cluster have no zone of their own.

    `nodes` are in the zone of the cluster, where its volumes are, too. A group in `node_groups` has a zone of
    its own, which a fallback can change alone.

    Make the nodes a group: `node_groups: [{name: nodes, ...}]`, or remove the zone from the fallback.
    """
    if not given(blueprint.nodes):
        return
    for fallback in blueprint.nodes.capacity.fallbacks:
        if fallback.zone is not UNSET:
            yield Finding(
                f"the nodes are in the zone of the cluster, {blueprint.zone}, and cannot fall back to "
                f"{fallback.zone}",
                context.at(fallback, "zone"),
                also=(context.at(blueprint, "zone", text="the zone of the cluster"),),
                help="write the nodes as a group in node_groups, which can have zones of its own",
            )
