from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM106", severity=Severity.ERROR, source="Cloud Load Balancing: firewall rules for health checks")
def repair_behind_foreign_firewall(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Unhealthy nodes are recreated in a network whose firewall is not the cluster's.

    Google checks the health of each node, from 35.191.0.0/16 and 130.211.0.0/22 at TCP port 9797. A node that
    it cannot reach counts as unhealthy and is recreated, again and again.

    Have the owner of the network allow that, and ignore this with that reason; or remove `repair: true`.
    """
    if nodes.health.repair and context.blueprint.network.existing is not UNSET:
        yield Finding(
            "every node is recreated again and again unless the firewall of the existing network allows"
            " health checks",
            context.at(nodes.health, "repair"),
            also=(context.at_key(context.blueprint.network, "existing", text="the network"),),
            help="allow TCP port 9797 from 35.191.0.0/16 and 130.211.0.0/22 and ignore this, or remove"
            " repair",
        )
