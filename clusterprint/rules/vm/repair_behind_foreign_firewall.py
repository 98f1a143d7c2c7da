from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import ports
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("VM106", severity=Severity.ERROR)
def repair_behind_foreign_firewall(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if nodes.health.repair and context.blueprint.network.existing is not UNSET:
        yield Finding(
            "every node is recreated again and again unless the firewall of the existing network allows"
            " health checks",
            context.at(nodes.health, "repair"),
            also=(context.at_key(context.blueprint.network, "existing", text="the network"),),
            help=f"allow TCP port {ports.HEALTH} from {listed(ports.HEALTH_PROBES, 'and')} and ignore this,"
            " or remove repair",
        )
