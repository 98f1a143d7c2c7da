from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM183", severity=Severity.ERROR, source="Google Cloud: about repairing VMs in a MIG", firm=True)
def autostop_of_repaired_nodes(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Nodes shut themselves down, but their group starts them again.

    A group that repairs restarts each machine that stops: the cluster would never stop.

    Write `repair: false`. A node that is preempted, or whose host fails, then stays away until somebody
    starts it.
    """
    ray = context.blueprint.bootstrap.ray
    if ray is UNSET or ray.autostop is UNSET or nodes.capacity.model == "flex_start":
        return
    if nodes.repair is not False or nodes.health.repair:
        yield Finding(
            "autostop shuts nodes down, and their group would start them again",
            context.at(nodes, "machine_type"),
            also=(context.at(ray, "autostop", text="autostop"),),
            help="write repair: false" + (" and health.repair: false" if nodes.health.repair else ""),
        )
