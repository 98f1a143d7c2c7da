"""The truths of Azure about resource groups, networks and traffic: what its API refuses, and makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from azure_parts import HERE, address, balancer, forward, interface, network, nodes_subnet, subnet, uniform

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Api

    from clusterprint_simcloud import Record

# ---- resource groups


def test_a_resource_group_must_be_there(azure: Api) -> None:
    with pytest.raises(ApiError, match="Resource group 'other' could not be found"):
        azure.create("azurerm_nat_gateway", name="nat", resource_group_name="other", location="eastus")


def test_a_subscription_must_be_named(connect: Callable[..., Api]) -> None:
    with pytest.raises(ApiError, match="subscription_id"):
        connect("azurerm").create("azurerm_resource_group", name="rg", location="eastus")


def test_a_resource_group_is_not_deleted_with_what_is_in_it(azure: Api) -> None:
    nat = azure.create("azurerm_nat_gateway", name="nat", **HERE)
    (group,) = azure.cloud.read().of("azurerm_resource_group")
    with pytest.raises(ApiError, match="still contains Resources"):
        azure.delete(group)
    azure.delete(nat)
    azure.delete(group)


def test_a_name_is_given_once(azure: Api) -> None:
    azure.create("azurerm_nat_gateway", name="nat", **HERE)
    with pytest.raises(ApiError, match="already exists - to be managed via Terraform"):
        azure.create("azurerm_nat_gateway", name="nat", **HERE)


# ---- networks


def test_a_subnet_lies_in_its_network(azure: Api) -> None:
    network(azure)
    with pytest.raises(ApiError, match="NetcfgSubnetRangeOutsideVnet"):
        subnet(azure, "10.1.0.0/24")


def test_subnets_do_not_overlap(azure: Api) -> None:
    nodes_subnet(azure)
    with pytest.raises(ApiError, match="overlaps subnet nodes"):
        subnet(azure, "10.0.0.128/25", "other")


def test_a_subnet_needs_its_network(azure: Api) -> None:
    with pytest.raises(ApiError, match=r"virtualNetworks/net .*was not found"):
        subnet(azure)


@pytest.mark.parametrize("cidr", ["10.0.0.1/24", "10.0.0.0/30"])
def test_ranges_are_checked(azure: Api, cidr: str) -> None:
    network(azure)
    with pytest.raises(ApiError, match=r"InvalidCIDRNotation|InvalidSubnetSize"):
        subnet(azure, cidr)


def test_a_network_in_use_is_not_deleted(azure: Api) -> None:
    net = network(azure)
    nodes = subnet(azure)
    nic = interface(azure, nodes)
    for record in (net, nodes):
        with pytest.raises(ApiError, match="is in use by"):
            azure.delete(record)
    for record in (nic, nodes, net):
        azure.delete(record)


def test_a_subnet_in_use_keeps_its_range(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    interface(azure, nodes)
    with pytest.raises(ApiError, match="its prefix cannot be changed"):
        azure.update(nodes, address_prefixes=["10.0.0.0/23"])


def test_a_subnet_has_one_security_group_and_one_nat_gateway(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    groups = [azure.create("azurerm_network_security_group", name=name, **HERE) for name in ("a", "b")]
    gateways = [azure.create("azurerm_nat_gateway", name=name, **HERE) for name in ("c", "d")]
    for kind, field, values in (
        ("azurerm_subnet_network_security_group_association", "network_security_group_id", groups),
        ("azurerm_subnet_nat_gateway_association", "nat_gateway_id", gateways),
    ):
        azure.create(kind, subnet_id=nodes.id, **{field: values[0].id})
        with pytest.raises(ApiError, match="already exists"):
            azure.create(kind, subnet_id=nodes.id, **{field: values[1].id})
        with pytest.raises(ApiError, match="is in use by"):
            azure.delete(values[0])


def test_rules_of_a_security_group_have_priorities_of_their_own(azure: Api) -> None:
    azure.create("azurerm_network_security_group", name="nsg", **HERE)

    def rule(name: str, priority: int, source: str = "203.0.113.0/24") -> Record:
        return azure.create(
            "azurerm_network_security_rule",
            name=name,
            resource_group_name="rg",
            network_security_group_name="nsg",
            priority=priority,
            direction="Inbound",
            access="Allow",
            protocol="Tcp",
            source_port_range="*",
            destination_port_range="22",
            source_address_prefixes=[source],
            destination_address_prefix="*",
        )

    rule("ssh", 1000)
    with pytest.raises(ApiError, match="SecurityRuleConflict"):
        rule("other", 1000)
    with pytest.raises(ApiError, match="SecurityRuleInvalidPriority"):
        rule("low", 99)
    with pytest.raises(ApiError, match="SecurityRuleInvalidAddressPrefix"):
        rule("wrong", 1001, "somewhere")


# ---- addresses and traffic


def test_azure_keeps_addresses_and_gives_the_others_away_from_the_start(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    assert interface(azure, nodes).state["private_ip_address"] == "10.0.0.4"
    assert interface(azure, nodes, "second").state["private_ip_address"] == "10.0.0.5"


@pytest.mark.parametrize("wanted", ["10.0.0.3", "10.0.0.255", "10.0.1.4"])
def test_a_static_address_must_be_usable(azure: Api, wanted: str) -> None:
    nodes = nodes_subnet(azure)
    with pytest.raises(ApiError, match="PrivateIPAddressNotInSubnet"):
        interface(azure, nodes, private_ip_address_allocation="Static", private_ip_address=wanted)


def test_a_private_address_is_given_once(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    interface(azure, nodes)
    with pytest.raises(ApiError, match="PrivateIPAddressIsAllocated"):
        interface(
            azure, nodes, "second", private_ip_address_allocation="Static", private_ip_address="10.0.0.4"
        )


def test_a_public_address_has_one_user(azure: Api) -> None:
    nodes, ip = nodes_subnet(azure), address(azure)
    interface(azure, nodes, public_ip_address_id=ip.id)
    with pytest.raises(ApiError, match="PublicIPAddressInUse"):
        interface(azure, nodes, "second", public_ip_address_id=ip.id)
    nat = azure.create("azurerm_nat_gateway", name="nat", **HERE)
    with pytest.raises(ApiError, match="PublicIPAddressInUse"):
        azure.create(
            "azurerm_nat_gateway_public_ip_association", nat_gateway_id=nat.id, public_ip_address_id=ip.id
        )


def test_a_standard_address_is_static(azure: Api) -> None:
    with pytest.raises(ApiError, match="static IP allocation"):
        address(azure, allocation_method="Dynamic")


def test_forwarded_ports_do_not_overlap_and_have_a_frontend(azure: Api) -> None:
    lb, pool = balancer(azure)
    forward(azure, lb, pool, (50000, 50099))
    with pytest.raises(ApiError, match="RulesUseSameFrontendPort"):
        forward(azure, lb, pool, (50099, 50100))
    with pytest.raises(ApiError, match="unable to find frontend IP configuration 'other'"):
        forward(azure, lb, pool, (51000, 51001), frontend_ip_configuration_name="other")


def test_a_pool_has_ports_for_all_of_its_machines(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    lb, pool = balancer(azure)
    forward(azure, lb, pool, (50000, 50002))
    configuration = {"name": "a", "primary": True, "subnet_id": nodes.id}
    configuration["load_balancer_backend_address_pool_ids"] = [pool.id]
    joined = [{"name": "a", "primary": True, "ip_configuration": [configuration]}]
    with pytest.raises(ApiError, match="InboundNatRulePortRangeTooSmall"):
        uniform(azure, nodes, instances=4, network_interface=joined)


def test_bastion_lives_in_its_own_subnet(azure: Api) -> None:
    nodes, ip = nodes_subnet(azure), address(azure)
    public = {"name": "public", "public_ip_address_id": ip.id}
    with pytest.raises(ApiError, match="must be called AzureBastionSubnet"):
        azure.create(
            "azurerm_bastion_host", name="b", ip_configuration=[{**public, "subnet_id": nodes.id}], **HERE
        )
    with pytest.raises(ApiError, match="BastionHostSubnetTooSmall"):
        subnet(azure, "10.0.1.0/27", "AzureBastionSubnet")
    own = subnet(azure, "10.0.1.0/26", "AzureBastionSubnet")
    with pytest.raises(ApiError, match="tunneling_enabled"):
        azure.create(
            "azurerm_bastion_host",
            name="b",
            sku="Basic",
            tunneling_enabled=True,
            ip_configuration=[{**public, "subnet_id": own.id}],
            **HERE,
        )
