from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_network import Network
from clusterprint.blueprint.vm_nodes import NodeGroup, VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import network_names, node_groups, ports
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, listed, rule


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


@rule("VM084", severity=Severity.ERROR, firm=True)
def rdma_groups_in_several_zones(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    look = known(
        blueprint.node_groups,
        lambda each: (each.name, catalog.machine(each.machine_type), node_groups.zone(blueprint, each)),
    )
    first: tuple[NodeGroup, str] | None = None
    for group, (name, found, zone) in look:
        if found is None or not found.network.rdma_vpcs:
            continue
        first = first or (group, zone)
        if zone != first[1]:
            yield Finding(
                f"group {name} has RDMA in {zone}, and group {first[0].name} in {first[1]}",
                context.at(group, "zone" if context.wrote(group, "zone") else "machine_type"),
                also=(context.at(first[0], "name", text="the other group"),),
                help="put them into one zone, or make a cluster for each",
            )


@rule("VM083", severity=Severity.ERROR, firm=True)
def groups_want_other_networks(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    look = known(node_groups.groups(blueprint), lambda each: catalog.machine(each.machine_type))
    wanting = [(group, found) for group, found in look if found and found.network.nics > 1]
    for group, found in wanting[1:]:
        other, first = wanting[0]
        wanted = node_groups.disagreement(first.network, found.network)
        if wanted:
            yield Finding(
                f"{first.name} and {found.name} need different GPU networks: {wanted}",
                context.at(group, "machine_type"),
                also=(context.at(other, "machine_type", text="the other machine type"),),
                help="make a cluster for each",
            )


@rule("VM044", severity=Severity.ERROR)
def existing_network_name_taken(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    existing = blueprint.network.existing
    if existing is UNSET or existing.project not in (UNSET, blueprint.project):
        return
    layouts = [layout for _, layout in known(node_groups.groups(blueprint), node_groups.layout) if layout]
    if any(existing.name in _created(blueprint.name, each) for each in layouts):
        yield Finding(
            f"network {existing.name} is one that this cluster creates for its GPUs",
            context.at(existing, "name"),
            also=(context.at(blueprint, "name", text="names of its resources begin with this"),),
            help="name the nodes' primary network here, or give the cluster another name",
        )


def _created(name: str, layout: catalog.NetworkLayout) -> Iterator[str]:
    """The networks that machines with a layout need besides the primary one."""
    yield from (network_names.gpu_network(name, index) for index in range(layout.extra_vpcs))
    yield from (network_names.rdma_network(name) for _ in range(layout.rdma_vpcs))


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
