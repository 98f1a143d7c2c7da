"""The truths of Azure about Managed Lustre: what its API refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from azure_parts import HERE, SUBSCRIPTION, network, subnet

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record


def lustre(azure: Api, room: Record, **more: Any) -> Record:
    settings = {
        "sku_name": "AMLFS-Durable-Premium-250",
        "storage_capacity_in_tb": 8,
        "zones": ["1"],
        "maintenance_window": [{"day_of_week": "Sunday", "time_of_day_in_utc": "02:00"}],
    }
    return azure.create(
        "azurerm_managed_lustre_file_system",
        name="scratch",
        subnet_id=room.id,
        **HERE,
        **settings | more,
    )


def room(azure: Api, cidr: str = "10.0.128.0/27") -> Record:
    network(azure)
    return subnet(azure, cidr, "lustre")


def test_a_file_system_says_where_its_server_is(azure: Api) -> None:
    assert lustre(azure, room(azure)).state["mgs_address"]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"storage_capacity_in_tb": 12}, id="between two sizes"),
        pytest.param({"storage_capacity_in_tb": 136}, id="too large"),
        pytest.param({"sku_name": "AMLFS-Durable-Premium-40"}, id="too small for its tier"),
        pytest.param({"zones": ["1", "2"]}, id="in two zones"),
    ],
)
def test_only_what_is_sold_is_made(azure: Api, wrong: dict[str, Any]) -> None:
    place = room(azure)
    with pytest.raises(ApiError, match=r"multiple of|one zone"):
        lustre(azure, place, **wrong)


def test_a_subnet_has_to_have_room_for_the_servers(azure: Api) -> None:
    place = room(azure)
    with pytest.raises(ApiError, match="take a /26"):
        lustre(azure, place, storage_capacity_in_tb=40)


def test_a_subnet_stays_as_long_as_its_file_system(azure: Api) -> None:
    place = room(azure)
    made = lustre(azure, place)
    with pytest.raises(ApiError, match=r"in use|InUse"):
        azure.delete(place)
    azure.delete(made)
    azure.delete(place)


GROUP_ID = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg"
ACCOUNT = f"{GROUP_ID}/providers/Microsoft.Storage/storageAccounts/mydata"
FILES = f"{ACCOUNT}/blobServices/default/containers/sets"
LOGS = f"{ACCOUNT}/blobServices/default/containers/logs"


def containers(azure: Api) -> None:
    settings = {"account_tier": "Standard", "account_replication_type": "LRS"}
    account = azure.create("azurerm_storage_account", name="mydata", **HERE, **settings)
    assert account.id == ACCOUNT
    for name in ("sets", "logs"):
        azure.create("azurerm_storage_container", name=name, storage_account_id=account.id)


def filled(**more: str) -> list[dict[str, str]]:
    return [{"container_id": FILES, "logging_container_id": LOGS, "import_prefix": "/"} | more]


def test_a_file_system_is_filled_from_a_container(azure: Api) -> None:
    containers(azure)
    assert lustre(azure, room(azure), hsm_setting=filled())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        pytest.param({"logging_container_id": FILES}, "not another container", id="logs among the files"),
        pytest.param({"logging_container_id": f"{LOGS}-2"}, "not found", id="no such container"),
        pytest.param({"import_prefix": "train"}, "must start with", id="no path"),
    ],
)
def test_files_and_logs_are_in_two_containers(azure: Api, wrong: dict[str, str], why: str) -> None:
    containers(azure)
    place = room(azure)
    with pytest.raises(ApiError, match=f"(?i){why}"):
        lustre(azure, place, hsm_setting=filled(**wrong))


def key(vault: str = "keys", version: str = "1") -> list[dict[str, str]]:
    vaults = f"{GROUP_ID}/providers/Microsoft.KeyVault/vaults"
    url = f"https://keys.vault.azure.net/keys/lustre/{version * 32}"
    return [{"key_url": url, "source_vault_id": f"{vaults}/{vault}"}]


def test_a_key_takes_an_identity_and_its_own_vault(azure: Api) -> None:
    place = room(azure)
    reader = azure.create("azurerm_user_assigned_identity", name="reader", **HERE)
    who = [{"type": "UserAssigned", "identity_ids": [reader.id]}]
    with pytest.raises(ApiError, match="needs an identity"):
        lustre(azure, place, encryption_key=key())
    with pytest.raises(ApiError, match="is no key of"):
        lustre(azure, place, encryption_key=key(vault="others"), identity=who)
    made = lustre(azure, place, encryption_key=key(), identity=who)
    assert azure.update(made, encryption_key=key(version="2")).state["encryption_key"] == key(version="2")


def test_a_key_has_to_be_there_from_the_start(azure: Api) -> None:
    reader = azure.create("azurerm_user_assigned_identity", name="reader", **HERE)
    who = [{"type": "UserAssigned", "identity_ids": [reader.id]}]
    made = lustre(azure, room(azure), identity=who)
    with pytest.raises(ApiError, match="cannot be exchanged"):
        azure.update(made, encryption_key=key())
