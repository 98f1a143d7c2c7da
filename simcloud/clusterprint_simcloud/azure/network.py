"""Virtual networks, subnets and network security groups."""

from __future__ import annotations

import ipaddress
from typing import Any

from clusterprint_simcloud.azure import addresses
from clusterprint_simcloud.azure.ids import (
    below_group,
    group_id,
    known,
    look_up,
    named,
    ref,
    text_list,
)
from clusterprint_simcloud.azure.refusal import not_found, refusal
from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.values import Path

NETWORK = "azurerm_virtual_network"
SUBNET = "azurerm_subnet"
SECURITY_GROUP = "azurerm_network_security_group"
RULE = "azurerm_network_security_rule"
GUARD = "azurerm_subnet_network_security_group_association"
BASTION_SUBNET = "AzureBastionSubnet"
_BASTION_SMALLEST = 26
_PRIORITIES = range(100, 4097)
_PLACES = frozenset({"*", "Internet", "VirtualNetwork", "AzureLoadBalancer"})

# Azure: naming rules and restrictions, Microsoft.Network.
NAME = r"[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,78}[_A-Za-z0-9])?"


def sibling(path: str, kind: str, where: str, *, holds: bool = True) -> Reference:
    """An argument that is the name of a resource in the same resource group; `where` is its type at Azure."""

    def identity(request: Request, value: str) -> str:
        return f"{group_id(request, request.text('resource_group_name'))}/providers/{where}/{value}"

    def found(request: Request, value: str) -> Record | None:
        return look_up(request.contents, identity(request, value), kind)

    def missing(request: Request, _steps: Path, value: str) -> str:
        return not_found(request, identity(request, value))

    return Reference(path, found, missing, holds=holds)


def parent_of(contents: Contents, record: Record, kind: str) -> Record:
    """The parent of a record: the one of its references that is of a type."""
    return next(contents.records[one] for one in record.references if one.startswith(f"{kind} "))


def subnets_of(contents: Contents, network: Record) -> list[Record]:
    """All subnets of a network."""
    return [one for one in contents.of(SUBNET) if network.key in one.references]


def _check_network(request: Request) -> None:
    spaces = [addresses.parse(request, one) for one in text_list(request.state, "address_space")]
    for index, one in enumerate(spaces):
        if any(one.overlaps(other) for other in spaces[:index]):
            raise refusal(request, "AddressSpacesOverlap", f"{one} overlaps another range of the network.")
    network = request.contents.get(NETWORK, request.identity)
    for subnet in subnets_of(request.contents, network) if network else []:
        if not any(addresses.range_of(subnet).subnet_of(one) for one in spaces):
            text = f"Subnet {subnet.id} lies in no address space of the network any more."
            raise refusal(request, "InUsePrefixCannotBeDeleted", text)


def _check_subnet(request: Request) -> None:
    network = look_up(request.contents, request.identity.rpartition("/subnets/")[0], NETWORK)
    assert network is not None  # noqa: S101  (references have been resolved)
    spaces = [addresses.Range(one) for one in network.state["address_space"]]
    for wanted in (addresses.parse(request, one) for one in text_list(request.state, "address_prefixes")):
        if wanted.prefixlen > addresses.SMALLEST:
            raise refusal(request, "InvalidSubnetSize", f"{wanted} is smaller than a /{addresses.SMALLEST}.")
        if not any(wanted.subnet_of(one) for one in spaces):
            text = f"Subnet {request.text('name')} is not valid because {wanted} lies outside of the network."
            raise refusal(request, "NetcfgSubnetRangeOutsideVnet", text)
        for other in subnets_of(request.contents, network):
            if other.id != request.identity and wanted.overlaps(addresses.range_of(other)):
                text = f"Subnet {request.text('name')} overlaps subnet {other.state['name']}."
                raise refusal(request, "NetcfgSubnetRangesOverlap", text)
        if request.text("name") == BASTION_SUBNET and wanted.prefixlen > _BASTION_SMALLEST:
            text = f"{BASTION_SUBNET} needs a /{_BASTION_SMALLEST} or larger, {wanted} is smaller."
            raise refusal(request, "BastionHostSubnetTooSmall", text)


def _check_resized(request: Request) -> None:
    """A subnet whose machines have addresses keeps its range."""
    taken = request.contents.leases.get(f"addresses of {request.identity}", {})
    before = (request.prior or {}).get("address_prefixes")
    if taken and before and before != request.state.get("address_prefixes"):
        text = f"Subnet {request.text('name')} is in use and its prefix cannot be changed."
        raise refusal(request, "InUsePrefixCannotBeDeleted", text)


def _check_rule(request: Request) -> None:
    priority = request.state.get("priority")
    if priority not in _PRIORITIES:
        raise refusal(request, "SecurityRuleInvalidPriority", f"Priority {priority} is not in 100..4096.")
    for name in ("source_address_prefix", "destination_address_prefix"):
        one = request.text(name)
        if one and one not in _PLACES:
            _check_prefix(request, one)
    for one in text_list(request.state, "source_address_prefixes"):
        _check_prefix(request, one)
    group = request.identity.rpartition("/securityRules/")[0]
    for other in request.contents.of(RULE):
        same = other.state.get("priority") == priority and other.state.get("direction") == request.text(
            "direction"
        )
        if same and other.id != request.identity and other.id.startswith(f"{group}/"):
            text = (
                f"Rules {request.text('name')} and {other.state['name']} have the same priority {priority}."
            )
            raise refusal(request, "SecurityRuleConflict", text)


def _check_prefix(request: Request, text: str) -> None:
    try:
        ipaddress.IPv4Network(text, strict=False)
    except ValueError as error:
        raise refusal(
            request, "SecurityRuleInvalidAddressPrefix", f"Invalid address prefix {text}."
        ) from error


def _rule_id(request: Request) -> str:
    group = group_id(request, request.text("resource_group_name"))
    owner = f"{group}/providers/Microsoft.Network/networkSecurityGroups"
    return f"{owner}/{request.text('network_security_group_name')}/securityRules/{request.text('name')}"


def _subnet_id(request: Request) -> str:
    group = group_id(request, request.text("resource_group_name"))
    network = f"{group}/providers/Microsoft.Network/virtualNetworks/{request.text('virtual_network_name')}"
    return f"{network}/subnets/{request.text('name')}"


def guards_of(contents: Contents, subnet: Record) -> list[dict[str, Any]]:
    """The security groups of a subnet."""
    return [one.state for one in contents.of(GUARD) if subnet.key in one.references]


def endpoints_of(subnet: Record) -> list[str]:
    """The service endpoints of a subnet."""
    blocks = subnet.state.get("service_endpoint") or []  # of azurerm 5
    return [*text_list(subnet.state, "service_endpoints"), *(str(each["service"]) for each in blocks)]


RESOURCES = (
    ResourceType(
        NETWORK,
        "Virtual Network",
        below_group("Microsoft.Network/virtualNetworks"),
        named(NETWORK, r"[A-Za-z0-9][-_.A-Za-z0-9]{0,62}[_A-Za-z0-9]"),
        computed={"subnet": [], "dns_servers": []},
        checks=[_check_network],
    ),
    ResourceType(
        SUBNET,
        "Subnet",
        _subnet_id,
        named(SUBNET, NAME),
        references=[sibling("virtual_network_name", NETWORK, "Microsoft.Network/virtualNetworks")],
        checks=[_check_subnet, _check_resized],
    ),
    ResourceType(
        SECURITY_GROUP,
        "Network Security Group",
        below_group("Microsoft.Network/networkSecurityGroups"),
        named(SECURITY_GROUP, NAME),
        computed={"security_rule": []},
    ),
    ResourceType(
        RULE,
        "Security Rule",
        _rule_id,
        named(RULE, NAME),
        references=[
            sibling(
                "network_security_group_name",
                SECURITY_GROUP,
                "Microsoft.Network/networkSecurityGroups",
                holds=False,
            )
        ],
        checks=[_check_rule],
    ),
    ResourceType(
        GUARD,
        "Subnet Network Security Group Association",
        "{subnet_id}",
        known(GUARD),
        references=[ref("subnet_id", SUBNET), ref("network_security_group_id", SECURITY_GROUP)],
    ),
)
