"""The network of a cluster on Azure."""

from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_ranges, azure_volumes, azurerm_provider
from clusterprint.plan.azure import BastionPlan, NatGatewayPlan, NetworkPlan, SshRulePlan
from clusterprint.resolve import azure

# Azure's own rules, which close everything else, come after all that can be given: 65000 and more.
_SSH_PRIORITY = 1000


def machines_range(blueprint: VmssBlueprint) -> IPv4Network:
    """The range of the subnet that all machines are in."""
    existing = blueprint.network.existing
    if existing is not UNSET:
        return IPv4Network(existing.cidr)
    return azure_ranges.machines(IPv4Network(blueprint.network.cidr))


def head_address(blueprint: VmssBlueprint) -> str:
    """The private address of the head; in somebody else's subnet Azure chooses it, and it is empty here."""
    if blueprint.network.existing is not UNSET:
        return ""
    return str(azure_ranges.head(machines_range(blueprint)))


def resolve_network(blueprint: VmssBlueprint) -> NetworkPlan:
    """A network of the cluster's own, or a subnet that exists."""
    name, network = blueprint.name, blueprint.network
    created = network.existing is UNSET
    return NetworkPlan(
        name=azure_names.virtual_network(name) if created else "",
        cidr=network.cidr if created else "",
        subnet=azure_names.subnet(name) if created else "",
        subnet_cidr=str(machines_range(blueprint)),
        service_endpoints=_service_endpoints(blueprint) if created else (),
        endpoint_blocks=azurerm_provider.renames(blueprint.terraform),
        existing_subnet=existing_subnet(blueprint),
        security_group=azure_names.security_group(name),
        ssh=_ssh_rule(blueprint),
        nat=_nat(name) if created and network.nat else None,
        bastion=_bastion(name, network.cidr) if created and network.bastion else None,
    )


def existing_subnet(blueprint: VmssBlueprint, name: str = "") -> str:
    """The id of a subnet of the existing network, by default that of all machines; empty without one."""
    existing = blueprint.network.existing
    if existing is UNSET:
        return ""
    group = "" if existing.resource_group is UNSET else existing.resource_group
    network = azure.id_of(blueprint, "Microsoft.Network/virtualNetworks", existing.virtual_network, group)
    return f"{network}/subnets/{name or existing.subnet}"


def _service_endpoints(blueprint: VmssBlueprint) -> tuple[str, ...]:
    """Storage accounts accept traffic from this subnet only."""
    return ("Microsoft.Storage",) if azure_volumes.shares(blueprint.storage) else ()


def _ssh_rule(blueprint: VmssBlueprint) -> SshRulePlan:
    """To the head; to all machines where a load balancer forwards ports to them, too."""
    head = head_address(blueprint)
    all_machines = blueprint.network.inbound_nat is not UNSET or not head
    return SshRulePlan(
        priority=_SSH_PRIORITY,
        sources=blueprint.head_node.ssh_source_ranges,
        destination=str(machines_range(blueprint)) if all_machines else f"{head}/32",
    )


def _nat(name: str) -> NatGatewayPlan:
    gateway = azure_names.nat_gateway(name)
    return NatGatewayPlan(name=gateway, address=azure_names.public_ip(gateway))


def _bastion(name: str, cidr: str) -> BastionPlan:
    host = azure_names.bastion(name)
    return BastionPlan(
        name=host,
        subnet=azure_names.BASTION_SUBNET,
        cidr=str(azure_ranges.bastion(IPv4Network(cidr))),
        address=azure_names.public_ip(host),
    )
