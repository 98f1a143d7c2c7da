from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import ports
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("VM106", severity=Severity.ERROR, source="Cloud Load Balancing: firewall rules for health checks")
def repair_behind_foreign_firewall(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Unhealthy nodes are recreated in a network whose firewall is not the cluster's.

    Google checks the health of each node, from addresses of its own at a port of ours. A node that it cannot
    reach counts as unhealthy and is recreated, again and again.

    Have the owner of the network allow what the message names, and ignore this with that reason; or remove
    `repair: true`.
    """
    if nodes.health.repair and context.blueprint.network.existing is not UNSET:
        yield Finding(
            "every node is recreated again and again unless the firewall of the existing network allows"
            " health checks",
            context.at(nodes.health, "repair"),
            also=(context.at_key(context.blueprint.network, "existing", text="the network"),),
            help=f"allow TCP port {ports.HEALTH} from {listed(ports.HEALTH_PROBES, 'and')} and ignore this,"
            " or remove repair",
        )
