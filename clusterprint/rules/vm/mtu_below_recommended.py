from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_network import Network
from clusterprint.catalog import machine
from clusterprint.derived import node_groups
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("VM019", severity=Severity.WARNING)
def mtu_below_recommended(network: Network, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if network.mtu is UNSET or network.existing is not UNSET:
        return
    for group, found in known(node_groups.groups(context.blueprint), lambda each: machine(each.machine_type)):
        if found is None or found.network.mtu is None or found.network.gpudirect == "none":
            continue  # a network for RDMA of its own has its own packets
        if network.mtu >= found.network.mtu:
            continue
        yield Finding(
            f"mtu {network.mtu} is below the {found.network.mtu} recommended for {found.name}",
            context.at(network, "mtu"),
            also=(context.at(group, "machine_type", text="the machine type"),),
            help="remove mtu",
        )
        return
