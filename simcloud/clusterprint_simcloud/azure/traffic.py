"""Public addresses, interfaces, and what moves packets: NAT gateways, load balancers, Bastion."""

from __future__ import annotations

import ipaddress
from typing import Any

from clusterprint_simcloud.azure import addresses
from clusterprint_simcloud.azure.ids import below, below_group, block, blocks, known, look_up, named, ref
from clusterprint_simcloud.azure.network import BASTION_SUBNET, NAME, SECURITY_GROUP, SUBNET
from clusterprint_simcloud.azure.refusal import invalid, refusal
from clusterprint_simcloud.cloud.behaviour import Request, ResourceType
from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.values import Path

ADDRESS = "azurerm_public_ip"
INTERFACE = "azurerm_network_interface"
BALANCER = "azurerm_lb"
POOL = "azurerm_lb_backend_address_pool"
NAT_RULE = "azurerm_lb_nat_rule"
NAT = "azurerm_nat_gateway"
BASTION = "azurerm_bastion_host"
_NAT_ADDRESS = "azurerm_nat_gateway_public_ip_association"
_NAT_SUBNET = "azurerm_subnet_nat_gateway_association"
_INTERFACE_GUARD = "azurerm_network_interface_security_group_association"
_FIRST_ADDRESS = ipaddress.IPv4Address("20.98.0.10")


# ---- public addresses


def _check_address(request: Request) -> None:
    if request.text("sku") == "Standard" and request.text("allocation_method") != "Static":
        raise invalid(
            request, "static IP allocation must be used when creating Standard SKU public IP addresses"
        )


def _ip(request: Request, _path: Path) -> str:
    taken = request.contents.leases.setdefault("public addresses", {})
    number = next(n for n in range(1 << 16) if str(_FIRST_ADDRESS + n) not in taken)
    taken[str(_FIRST_ADDRESS + number)] = request.record.key
    return str(_FIRST_ADDRESS + number)


def take_address(request: Request, value: object) -> None:
    """A public address has one user: refuse a second one."""
    record = look_up(request.contents, value, ADDRESS)
    if record is None:
        return
    users = [one for one in request.contents.users_of(record) if one.id != request.identity]
    if users:
        text = f"Resource {request.identity} refers to public address {record.id} that {users[0].id} uses."
        raise refusal(request, "PublicIPAddressInUse", text)


# ---- interfaces


def _check_interface(request: Request) -> None:
    configurations = blocks(request.state, "ip_configuration")
    if len(configurations) > 1 and sum(bool(one.get("primary")) for one in configurations) != 1:
        raise invalid(request, "If multiple `ip_configurations` are specified - one must be `primary`.")
    for one in configurations:
        if one.get("private_ip_address_allocation") == "Static" and not one.get("private_ip_address"):
            raise invalid(request, "`private_ip_address` must be set for `Static` allocation")
        take_address(request, one.get("public_ip_address_id"))


def _place_interface(request: Request) -> None:
    for one in blocks(request.state, "ip_configuration"):
        subnet = look_up(request.contents, one.get("subnet_id"), SUBNET)
        if subnet is None:
            continue
        holder = request.record.key
        wanted = str(one.get("private_ip_address") or "")
        if one.get("private_ip_address_allocation") != "Static":
            wanted = next(iter(addresses.leased_by(request.contents, subnet, holder)), "")
        for old in addresses.leased_by(request.contents, subnet, holder):
            if old != wanted:
                addresses.release(request.contents, subnet, old)
        one["private_ip_address"] = addresses.lease(request, subnet, wanted)
        request.state["private_ip_address"] = one["private_ip_address"]
        request.state["private_ip_addresses"] = [one["private_ip_address"]]


# ---- NAT gateways


def _check_subnet_has_none(request: Request) -> None:
    subnet = look_up(request.contents, request.text("subnet_id"), SUBNET)
    assert subnet is not None  # noqa: S101  (references have been resolved)
    if subnet.state["name"] in (BASTION_SUBNET, "GatewaySubnet"):
        text = f"{subnet.state['name']} cannot have a NAT gateway."
        raise refusal(request, "NatGatewayCannotBeUsedBySubnet", text)


# ---- load balancers


def _check_balancer(request: Request) -> None:
    for one in blocks(request.state, "frontend_ip_configuration"):
        address = look_up(request.contents, one.get("public_ip_address_id"), ADDRESS)
        if address is not None and address.state.get("sku") != request.text("sku"):
            text = "Load balancer and public address must have one SKU."
            raise refusal(request, "DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed", text)
        take_address(request, one.get("public_ip_address_id"))


def _check_nat_rule(request: Request) -> None:
    balancer = look_up(request.contents, request.text("loadbalancer_id"), BALANCER)
    assert balancer is not None  # noqa: S101  (references have been resolved)
    names = [one.get("name") for one in blocks(balancer.state, "frontend_ip_configuration")]
    if request.text("frontend_ip_configuration_name") not in names:
        text = f"unable to find frontend IP configuration {request.text('frontend_ip_configuration_name')!r}"
        raise invalid(request, text)
    first, last = _ports(request.state)
    if first > last:
        raise invalid(request, "`frontend_port_start` must not be larger than `frontend_port_end`")
    for other in request.contents.of(NAT_RULE):
        if other.id != request.identity and other.state.get("loadbalancer_id") == balancer.id:
            start, end = _ports(other.state)
            if first <= end and start <= last:
                raise refusal(request, "RulesUseSameFrontendPort", f"Ports overlap those of {other.id}.")


def _ports(state: dict[str, Any]) -> tuple[int, int]:
    start, end, one = (
        state.get("frontend_port_start"), state.get("frontend_port_end"), state.get("frontend_port")
    )  # fmt: skip
    return (int(start), int(end)) if start and end else (int(one or 0), int(one or 0))


def forwarded_ports(contents: Contents, pool: Record) -> int | None:
    """How many machines of a pool its NAT rules have ports for; None without rules."""
    sizes = [
        last - first + 1
        for rule in contents.of(NAT_RULE)
        if str(rule.state.get("backend_address_pool_id") or "").lower() == pool.id.lower()
        for first, last in [_ports(rule.state)]
    ]
    return min(sizes) if sizes else None


# ---- Bastion


def _check_bastion(request: Request) -> None:
    configuration = block(request.state, "ip_configuration")
    subnet = look_up(request.contents, configuration.get("subnet_id"), SUBNET)
    if subnet is not None and subnet.state["name"] != BASTION_SUBNET:
        raise refusal(
            request, "BastionHostNotInBastionSubnet", f"The subnet must be called {BASTION_SUBNET}."
        )
    take_address(request, configuration.get("public_ip_address_id"))
    if request.state.get("tunneling_enabled") and request.text("sku") not in ("Standard", "Premium"):
        raise invalid(request, "`tunneling_enabled` is only supported when `sku` is `Standard` or `Premium`")


RESOURCES = (
    ResourceType(
        ADDRESS,
        "Public IP Address",
        below_group("Microsoft.Network/publicIPAddresses"),
        named(ADDRESS, NAME),
        computed={"ip_address": _ip, "fqdn": "", "zones": []},
        checks=[_check_address],
    ),
    ResourceType(
        INTERFACE,
        "Network Interface",
        below_group("Microsoft.Network/networkInterfaces"),
        named(INTERFACE, NAME),
        computed={
            "private_ip_address": "",
            "private_ip_addresses": [],
            "ip_configuration.private_ip_address": "",
            "ip_configuration.primary": True,
            "mac_address": "00-0D-3A-00-00-01",
            "virtual_machine_id": "",
            "applied_dns_servers": [],
            "dns_servers": [],
            "internal_domain_name_suffix": "simulated.internal.cloudapp.net",
        },
        references=[
            ref("ip_configuration.subnet_id", SUBNET),
            ref("ip_configuration.public_ip_address_id", ADDRESS),
        ],
        checks=[_check_interface],
        created=[_place_interface],
        updated=[_place_interface],
    ),
    ResourceType(
        _INTERFACE_GUARD,
        "Network Interface Security Group Association",
        "{network_interface_id}|{network_security_group_id}",
        known(_INTERFACE_GUARD),
        references=[ref("network_interface_id", INTERFACE), ref("network_security_group_id", SECURITY_GROUP)],
    ),
    ResourceType(
        NAT,
        "NAT Gateway",
        below_group("Microsoft.Network/natGateways"),
        named(NAT, NAME),
        computed={"zones": []},
    ),
    ResourceType(
        _NAT_ADDRESS,
        "NAT Gateway Public IP Association",
        "{nat_gateway_id}|{public_ip_address_id}",
        known(_NAT_ADDRESS),
        references=[ref("nat_gateway_id", NAT), ref("public_ip_address_id", ADDRESS)],
        checks=[lambda request: take_address(request, request.text("public_ip_address_id"))],
    ),
    ResourceType(
        _NAT_SUBNET,
        "Subnet NAT Gateway Association",
        "{subnet_id}",
        known(_NAT_SUBNET),
        references=[ref("nat_gateway_id", NAT), ref("subnet_id", SUBNET)],
        checks=[_check_subnet_has_none],
    ),
    ResourceType(
        BALANCER,
        "Load Balancer",
        below_group("Microsoft.Network/loadBalancers"),
        named(BALANCER, NAME),
        computed={
            "private_ip_address": "",
            "private_ip_addresses": [],
            "frontend_ip_configuration.id": lambda request, path: (
                f"{request.identity}/frontendIPConfigurations/"
                f"{blocks(request.state, 'frontend_ip_configuration')[int(path[1])]['name']}"
            ),
        },
        references=[
            ref("frontend_ip_configuration.public_ip_address_id", ADDRESS),
            ref("frontend_ip_configuration.subnet_id", SUBNET),
        ],
        checks=[_check_balancer],
    ),
    ResourceType(
        POOL,
        "Backend Address Pool",
        below("loadbalancer_id", "backendAddressPools"),
        named(POOL, NAME),
        references=[ref("loadbalancer_id", BALANCER)],
    ),
    ResourceType(
        NAT_RULE,
        "Inbound NAT Rule",
        below("loadbalancer_id", "inboundNatRules"),
        named(NAT_RULE, NAME),
        references=[ref("loadbalancer_id", BALANCER), ref("backend_address_pool_id", POOL)],
        checks=[_check_nat_rule],
    ),
    ResourceType(
        BASTION,
        "Bastion Host",
        below_group("Microsoft.Network/bastionHosts"),
        named(BASTION, NAME),
        computed={"dns_name": "bst-simulated.bastion.azure.com", "zones": []},
        references=[
            ref("ip_configuration.subnet_id", SUBNET),
            ref("ip_configuration.public_ip_address_id", ADDRESS),
        ],
        checks=[_check_bastion],
    ),
)
