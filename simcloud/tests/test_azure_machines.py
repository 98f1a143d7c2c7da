"""The truths of Azure about machines, identities and storage: what is refused, and what is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from azure_parts import (
    HERE,
    SUBSCRIPTION,
    UNIFORM,
    address,
    flexible,
    interface,
    leases,
    machine,
    network,
    nodes_subnet,
    subnet,
    uniform,
)

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

# ---- scale sets


def test_instances_take_addresses_and_give_them_back(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    made = uniform(azure, nodes, instances=3)
    assert leases(azure, nodes) == ["10.0.0.4", "10.0.0.5", "10.0.0.6"]
    azure.update(made, instances=1)
    assert leases(azure, nodes) == ["10.0.0.4"]
    azure.delete(made)
    assert leases(azure, nodes) == []


def test_a_full_subnet_is_full(azure: Api) -> None:
    nodes = nodes_subnet(azure, "10.0.0.0/29")
    with pytest.raises(ApiError, match="SubnetIsFull"):
        uniform(azure, nodes, instances=4)
    uniform(azure, nodes, instances=3)


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ({"a/b": "x"}, "InvalidTagNameCharacters"),
        ({"k" * 513: "x"}, "InvalidTagNameCharacters"),
        ({"Microsoft-thing": "x"}, "ReservedTagName"),
        ({"Owner": "x", "owner": "y"}, "AmbiguousTagNames"),
        ({"a": "x" * 257}, "InvalidTags"),
        ({f"t{number}": "x" for number in range(51)}, "InvalidTags"),
    ],
)
def test_tags_that_azure_refuses(azure: Api, tags: dict[str, str], message: str) -> None:
    with pytest.raises(ApiError, match=message):
        uniform(azure, nodes_subnet(azure), tags=tags)


def test_tags_that_azure_takes(azure: Api) -> None:
    tags = {"Data class": "internal, not secret", "CostCenter": "", "k" * 512: "x" * 256}
    assert uniform(azure, nodes_subnet(azure), tags=tags).state["tags"] == tags


def test_a_single_placement_group_holds_a_hundred(azure: Api) -> None:
    nodes = nodes_subnet(azure, "10.0.0.0/23")
    with pytest.raises(ApiError, match="at most 100"):
        uniform(azure, nodes, instances=101)
    made = uniform(azure, nodes, instances=101, single_placement_group=False)
    with pytest.raises(ApiError, match="cannot become true again"):
        azure.update(made, instances=2, single_placement_group=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"priority": "Spot"}, "an `eviction_policy` must be specified"),
        ({"eviction_policy": "Delete"}, "can only be specified when `priority` is set to `Spot`"),
        ({"max_bid_price": 3}, "`max_bid_price` can only be configured"),
        (
            {"capacity_reservation_group_id": "/subscriptions/x"},
            "`single_placement_group` must be set to `false`",
        ),
        ({"automatic_instance_repair": [{"enabled": True}]}, "application Health extension"),
        ({"source_image_id": "/subscriptions/x"}, "one of `source_image_id`,`source_image_reference`"),
        ({"secure_boot_enabled": True}, "does not support trusted launch"),
        ({"admin_username": "admin"}, '"admin_username" specified is not allowed'),
        ({"custom_data": "not base64!"}, "must be a base64 encoded string"),
        ({"custom_data": "QUFB" * 22000}, "Custom data has 66000 bytes"),
        ({"instances": 1001}, r"range \(0 - 1000\)"),
    ],
)
def test_what_a_uniform_set_refuses(azure: Api, arguments: dict[str, Any], message: str) -> None:
    nodes = nodes_subnet(azure)
    with pytest.raises(ApiError, match=message):
        uniform(azure, nodes, **arguments)


@pytest.mark.parametrize(
    "key", ["ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQ== me", "ecdsa-sha2-nistp256 AAAA me", "me"]
)
def test_keys_are_checked(azure: Api, key: str) -> None:
    nodes = nodes_subnet(azure)
    with pytest.raises(ApiError, match="public_key"):
        uniform(azure, nodes, admin_ssh_key=[{"username": "azureuser", "public_key": key}])


@pytest.mark.parametrize(("domains", "zones"), [(5, None), (2, ["1"])])
def test_fault_domains_of_a_flexible_set(azure: Api, domains: int, zones: list[str] | None) -> None:
    nodes = nodes_subnet(azure)
    with pytest.raises(ApiError, match="fault domains"):
        flexible(azure, nodes, platform_fault_domain_count=domains, zones=zones)


def test_a_zone_that_goes_replaces_the_set(azure: Api) -> None:
    made = uniform(azure, nodes_subnet(azure), zones=["1"])
    assert azure.plan(UNIFORM, {"zones": ["2"]}, made.state).replace == [("zones",)]
    assert azure.plan(UNIFORM, {"zones": ["1", "2"]}, made.state).replace == []


@pytest.mark.parametrize(
    ("field", "value", "replaces"),
    [
        ("instances", 5, False),
        ("custom_data", "QUFB", False),
        ("sku", "Standard_ND96isr_H100_v5", False),
        ("tags", {"a": "b"}, False),
        ("overprovision", False, False),
        ("location", "westus", True),
        ("priority", "Spot", True),
        ("capacity_reservation_group_id", "/subscriptions/x", True),
        ("computer_name_prefix", "other-", True),
    ],
)
def test_what_replaces_a_uniform_set(azure: Api, field: str, value: object, replaces: bool) -> None:
    made = uniform(azure, nodes_subnet(azure))
    assert bool(azure.plan(UNIFORM, {field: value}, made.state).replace) is replaces


# ---- virtual machines


def test_an_interface_has_one_machine(azure: Api) -> None:
    nic = interface(azure, nodes_subnet(azure))
    machine(azure, nic)
    with pytest.raises(ApiError, match="NicInUse"):
        machine(azure, nic, "second")


def test_a_machine_knows_its_addresses(azure: Api) -> None:
    ip = address(azure)
    made = machine(azure, interface(azure, nodes_subnet(azure), public_ip_address_id=ip.id))
    assert made.state["private_ip_address"] == "10.0.0.4"
    assert made.state["public_ip_address"] == ip.state["ip_address"]


def test_a_member_of_a_flexible_set_is_like_it(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    made = flexible(azure, nodes, zones=["2"])
    nic = interface(azure, nodes)
    with pytest.raises(ApiError, match="in zone none, the scale set in 2"):
        machine(azure, nic, virtual_machine_scale_set_id=made.id)
    machine(azure, nic, virtual_machine_scale_set_id=made.id, zone="2")
    with pytest.raises(ApiError, match="still has"):
        azure.delete(made)


def test_a_machine_cannot_join_a_uniform_set(azure: Api) -> None:
    nodes = nodes_subnet(azure)
    made = uniform(azure, nodes)
    with pytest.raises(ApiError, match="was not found"):
        machine(azure, interface(azure, nodes), virtual_machine_scale_set_id=made.id)


# ---- identities and roles


def grant(azure: Api, identity: Record, scope: str, role: str = "Reader") -> Record:
    return azure.create(
        "azurerm_role_assignment",
        scope=scope,
        role_definition_name=role,
        principal_id=identity.state["principal_id"],
    )


def test_roles_are_for_identities_that_are_there_on_things_that_are_there(azure: Api) -> None:
    identity = azure.create("azurerm_user_assigned_identity", name="head", **HERE)
    group = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg"
    grant(azure, identity, group)
    with pytest.raises(ApiError, match=r"RoleAssignmentExists|already exists"):
        grant(azure, identity, group)
    with pytest.raises(ApiError, match="could not find role 'Rreader'"):
        grant(azure, identity, group, "Rreader")
    with pytest.raises(ApiError, match="ResourceNotFound"):
        grant(azure, identity, f"{group}/providers/Microsoft.Compute/virtualMachines/none")
    stranger = identity.__class__(identity.type, "x", {"principal_id": "nobody"})
    with pytest.raises(ApiError, match="PrincipalNotFound"):
        grant(azure, stranger, group)


def test_an_identity_in_use_is_not_deleted(azure: Api) -> None:
    identity = azure.create("azurerm_user_assigned_identity", name="nodes", **HERE)
    given = [{"type": "UserAssigned", "identity_ids": [identity.id]}]
    uniform(azure, nodes_subnet(azure), identity=given)
    with pytest.raises(ApiError, match="is in use by"):
        azure.delete(identity)


# ---- storage


def account(azure: Api, **more: Any) -> Record:
    arguments = {
        "account_kind": "FileStorage",
        "account_tier": "Premium",
        "account_replication_type": "LRS",
        "https_traffic_only_enabled": False,
        **more,
    }
    return azure.create("azurerm_storage_account", name="ours", **(HERE | arguments))


def test_an_account_lets_in_subnets_with_the_service_endpoint(azure: Api) -> None:
    network(azure)
    closed = subnet(azure)
    opened = subnet(azure, "10.0.1.0/24", "opened", service_endpoints=["Microsoft.Storage"])

    def rules(net: Record) -> list[dict[str, Any]]:
        return [{"default_action": "Deny", "virtual_network_subnet_ids": [net.id]}]

    with pytest.raises(ApiError, match="SubnetsHaveNoServiceEndpointsConfigured"):
        account(azure, network_rules=rules(closed))
    account(azure, network_rules=rules(opened))


def test_a_share_for_nfs_needs_its_account_to_be_made_for_it(azure: Api) -> None:
    def share(owner: Record, quota: int = 100) -> Record:
        return azure.create(
            "azurerm_storage_share",
            name="data",
            storage_account_id=owner.id,
            quota=quota,
            enabled_protocol="NFS",
        )

    standard = account(azure, account_kind="StorageV2", account_tier="Standard")
    with pytest.raises(ApiError, match="need a FileStorage account"):
        share(standard)
    azure.delete(standard)
    secure = account(azure, https_traffic_only_enabled=True)
    with pytest.raises(ApiError, match="SecureTransferRequired"):
        share(secure)
    azure.delete(secure)
    with pytest.raises(ApiError, match="100 GiB or more"):
        share(account(azure), 50)


def test_containers_for_nfs_need_a_closed_account(azure: Api) -> None:
    with pytest.raises(ApiError, match="`nfsv3_enabled` needs"):
        account(
            azure, account_kind="StorageV2", account_tier="Standard", nfsv3_enabled=True, is_hns_enabled=True
        )
