from clusterprint import catalog
from clusterprint.blueprint.vm_nodes import NodeGroup
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_SEVERAL = 2


@rule("VM165", severity=Severity.ERROR, firm=True)
def zones_of_nodes_kept_together(group: NodeGroup, context: Context) -> Iterator[Finding]:
    if len(group.zones) < _SEVERAL:
        return
    found = catalog.machine(group.machine_type)
    if found is not None and found.network.fabric != "none":
        who = f"the GPUs of {found.name}" if found.gpus else f"{found.name} machines"
        why, other = (
            f"{who} talk to each other within a zone",
            context.at(group, "machine_type"),
        )
    elif group.placement.policy not in (UNSET, "none"):
        why, other = "a placement policy keeps nodes together", context.at(group.placement, "policy")
    elif group.capacity.model in ("reservation", "flex_start"):
        why = f"{group.capacity.model} machines all come from one zone"
        other = context.at(group.capacity, "model")
    else:
        return
    yield Finding(
        f"group {group.name} has {len(group.zones)} zones, but {why}",
        context.at(group, "zones"),
        also=(other._replace(text="because of this"),),
        help="write zone with one of them, or make a group for each zone",
    )
