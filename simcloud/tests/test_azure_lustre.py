"""The truths of Azure about Managed Lustre: what its API refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from azure_parts import HERE, network, subnet

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
