"""The cost of a change, calculated by hand from the lists."""

from typing import Any

import msgspec
import pytest
from reports import REPORT

from clusterprint.derived.machines import Machines
from clusterprint.review.cost import cost
from clusterprint.review.delta import Resource
from clusterprint.review.machines import machines_of
from clusterprint.review.model import CapacityModel
from clusterprint.review.render import html, json, markdown, text


def machines(
    name: str, nodes: int, model: CapacityModel = "on_demand", region: str = "us-central1", **more: Any
) -> Machines:
    return Machines("a.b", "b", name, model, nodes, nodes, region=region)._replace(**more)


@pytest.mark.parametrize(
    ("added", "per_hour"),
    [
        (machines("a3-ultragpu-8g", 2, "spot"), 2 * 40.99433),
        (machines("g2-standard-48", 3), 3 * 4.001665),
        (machines("a4-highgpu-8g", 8, "flex_start", "us-east4"), 8 * 64.44),
        (machines("a3-megagpu-8g", 4, "reservation", "us-east4"), 4 * 92.937588),
        # a 4x8 slice is 32 chips on 8 machines
        (machines("ct6e-standard-4t", 8, "on_demand", "europe-west4"), 32 * 2.97),
        (machines("n2-standard-4", 3, "on_demand", "us-east4"), 3 * 0.218756),
        (machines("Standard_ND96isr_H200_v5", 2, region="westus3"), 2 * 84.8),
        (machines("Standard_D4s_v5", 1, region="eastus"), 0.192),
        (
            machines("n1-standard-8", 2, accelerator="nvidia-tesla-t4", accelerators=4),
            2 * (0.379998 + 4 * 0.35),
        ),
        # other series name the GPUs that they come with
        (machines("g2-standard-8", 1, accelerator="nvidia-l4", accelerators=1), 0.853624),
        # autoscaling counts at its most
        (machines("g2-standard-8", 0, "on_demand", most=5), 5 * 0.853624),
    ],
)
def test_machines_are_added(added: Machines, per_hour: float) -> None:
    found = cost({"c": ((), (added,))})
    assert found.per_hour == pytest.approx(per_hour, abs=0.01)
    assert found.per_month == pytest.approx(per_hour * 730, abs=0.01 * 730)
    assert found.currency == "USD"
    (row,) = found.rows
    assert (row.before, row.after) == (0, found.per_hour)
    assert (row.region, row.why) == (added.region, "")
    assert row.source
    assert row.date


def test_the_sum_is_not_one_of_rounded_figures() -> None:
    before, after = machines("t2a-standard-1", 1), machines("t2a-standard-1", 2)
    found = cost({f"c{number}": ((before,), (after,)) for number in range(100)})
    assert found.per_hour == pytest.approx(100 * 0.308 / 8, abs=0.01)


def test_a_cluster_that_ends_has_a_cost_until_then() -> None:
    after = machines("t2a-standard-1", 2)
    note = cost({"c": ((), (after,)), "d": ((), (after,))}, ends={"c": "2d"}).note
    assert note.endswith("The machines of c cost $3.70 until they end, after 2d.")
    unpriced = machines("a9-unknown-8g", 1)
    assert "until they end" not in cost({"c": ((), (after, unpriced))}, ends={"c": "2d"}).note
    assert "until they end" not in cost({"c": ((after,), ())}, ends={"c": "2d"}).note


def test_a_region_without_a_list_price_is_said() -> None:
    found = cost({"c": ((), (machines("a2-highgpu-1g", 1, region="europe-west9"),))})
    (row,) = found.rows
    assert (row.region, row.after) == ("us-central1", 3.67)
    assert row.why == "no price of europe-west9 is known"


def test_of_a_machine_with_gpus_either_may_lack_a_list_price_in_the_region() -> None:
    added = machines("n1-standard-8", 1, region="us-east4", accelerator="nvidia-tesla-t4", accelerators=1)
    (row,) = cost({"c": ((), (added,))}).rows
    assert (row.region, row.why) == ("us-central1", "no price of us-east4 is known")
    assert row.after == round(0.42797 + 0.35, 2)


def test_a_region_that_is_not_known_is_said() -> None:
    (row,) = cost({"c": ((), (machines("a2-highgpu-1g", 1, region=""),))}).rows
    assert row.why == "where the machines will be is not known"


def test_regions_are_priced_apart() -> None:
    here, there = machines("c4-standard-32", 1), machines("c4-standard-32", 1, region="europe-west2")
    found = cost({"c": ((here,), (there,))})
    assert [(row.region, row.before, row.after) for row in found.rows] == [
        ("europe-west2", 0, 1.8),
        ("us-central1", 1.58, 0),
    ]
    assert found.per_hour == 0.22


def test_what_has_no_list_price_is_said_once_and_after_all_else() -> None:
    rack, contract = machines("a4x-highgpu-4g", 18, "reservation"), machines("a3-megagpu-8g", 2, "flex_start")
    priced = machines("a3-megagpu-8g", 1, "reservation")
    found = cost({"one": ((), (rack, priced)), "two": ((), (rack, contract))})
    assert [row.what for row in found.rows] == ["a3-megagpu-8g"]
    assert found.without_price == ("a4x-highgpu-4g (reservation)", "a3-megagpu-8g (flex-start)")
    assert (found.per_hour, found.per_month) == (None, None)
    assert found.known_per_hour == 92.21
    assert found.note.endswith(
        "Reservations count at the price on demand, which they cost as long as they exist. Without a list "
        "price, and so not in the sums: a4x-highgpu-4g (reservation); a3-megagpu-8g (flex-start)."
    )


def test_what_has_no_list_price_and_stays_leaves_the_change_known() -> None:
    rack = machines("a4x-highgpu-4g", 18, "reservation")
    found = cost({"c": ((rack,), (rack, machines("e2-standard-8", 1)))})
    assert found.per_hour == 0.27
    assert found.without_price == ("a4x-highgpu-4g (reservation)",)


def test_nothing_costs_nothing() -> None:
    found = cost({"c": ((), ())})
    assert (found.rows, found.per_hour, found.note) == ((), 0, "")


@pytest.mark.parametrize("form", [text, markdown, html, json])
def test_every_form_names_what_has_no_list_price_once(form: object) -> None:
    rack = machines("a4x-highgpu-4g", 18, "reservation")
    found = msgspec.structs.replace(REPORT, cost=cost({"c": ((), (rack,))}))
    told = form.render(found)  # type: ignore[attr-defined]
    assert "not in the sums: a4x-highgpu-4g (reservation)." in told.replace("\\", "")


@pytest.mark.parametrize("form", [text, markdown, html, json])
def test_every_form_has_the_sum_per_hour_and_per_month(form: object) -> None:
    found = msgspec.structs.replace(REPORT, cost=cost({"c": ((), (machines("a2-highgpu-8g", 2),))}))
    told = form.render(found).replace(",", "").replace("\\", "")  # type: ignore[attr-defined]
    assert "58.77" in told
    assert "42905.14" in told
    assert "us-central1" in told


@pytest.mark.parametrize(
    ("type_", "values", "region"),
    [
        ("google_compute_instance", {"zone": "europe-west4-a"}, "europe-west4"),
        ("google_compute_instance", {"zone": "projects/p/zones/us-east4-b"}, "us-east4"),
        ("google_compute_instance", {"zone": "${var.zone}"}, ""),
        ("google_container_node_pool", {"location": "us-south1"}, "us-south1"),
        (
            "google_container_node_pool",
            {"location": "us-south1", "node_locations": ["us-west1-a"]},
            "us-west1",
        ),
        ("azurerm_linux_virtual_machine", {"location": "East US", "zone": "2"}, "eastus"),
        ("azurerm_linux_virtual_machine", {"location": "${var.location}"}, ""),
    ],
)
def test_where_machines_are(type_: str, values: dict[str, object], region: str) -> None:
    config = {
        "machine_type": "n2-standard-8",
        "size": "Standard_D4s_v5",
        "node_config": {"machine_type": "e2-micro"},
    }
    (found,) = machines_of([Resource("s", type_, f"{type_}.a", f"{type_}.a", {**config, **values})])
    assert found.region == region


def test_a_node_pool_is_where_its_cluster_is() -> None:
    cluster = Resource(
        "s", "google_container_cluster", "google_container_cluster.c", "google_container_cluster.c",
        {"location": "us-east5", "name": "c"},
    )  # fmt: skip
    pool = Resource(
        "s", "google_container_node_pool", "google_container_node_pool.p", "google_container_node_pool.p",
        {"location": "${google_container_cluster.c.location}", "node_config": {"machine_type": "e2-micro"}},
    )  # fmt: skip
    (found,) = machines_of([cluster, pool])
    assert found.region == "us-east5"


@pytest.mark.parametrize(
    ("values", "nodes"),
    [
        # GKE makes `node_count` in each zone: three of a region, or as many as are named
        ({"location": "us-south1", "node_count": 2}, (6, 6)),
        ({"location": "us-south1-b", "node_count": 2}, (2, 2)),
        (
            {"location": "us-south1", "node_locations": ["us-south1-a", "us-south1-b"], "node_count": 2},
            (4, 4),
        ),
        ({"location": "us-south1", "autoscaling": {"min_node_count": 1, "max_node_count": 4}}, (3, 12)),
        (
            {"location": "us-south1", "autoscaling": {"total_min_node_count": 1, "total_max_node_count": 4}},
            (1, 4),
        ),
        # where a cluster is that nobody knows, nothing is multiplied
        ({"location": "${google_container_cluster.east-1.location}", "node_count": 2}, (2, 2)),
    ],
)
def test_how_many_machines_a_node_pool_is(values: dict[str, object], nodes: tuple[int, int]) -> None:
    address = "google_container_node_pool.p"
    config = {"node_config": {"machine_type": "e2-micro"}}
    (found,) = machines_of(
        [Resource("s", "google_container_node_pool", address, address, {**config, **values})]
    )
    assert (found.nodes, found.most) == nodes


@pytest.mark.parametrize(
    ("config", "queued", "model"),
    [
        ({}, True, "flex_start"),
        ({}, False, "on_demand"),
        ({"flex_start": True}, True, "flex_start"),
        ({"reservation_affinity": {"consume_reservation_type": "SPECIFIC_RESERVATION"}}, True, "reservation"),
    ],
)
def test_a_node_pool_that_queues_gets_its_nodes_by_flex_start(
    config: dict[str, object], queued: bool, model: str
) -> None:
    address = "google_container_node_pool.p"
    node = {"machine_type": "a3-highgpu-8g", **config}
    values = {"node_config": node, "queued_provisioning": {"enabled": queued}}
    (found,) = machines_of([Resource("s", "google_container_node_pool", address, address, values)])
    assert found.model == model


@pytest.mark.parametrize("form", [text, markdown, html, json])
@pytest.mark.parametrize("known", [(), (machines("a2-highgpu-8g", 2),)])
def test_every_form_names_what_could_not_be_compared(form: object, known: tuple[Machines, ...]) -> None:
    found = msgspec.structs.replace(REPORT, cost=cost({"c": ((), known), "d": ((), ())}, ["d"]))
    assert (found.cost.per_hour, found.cost.per_month) == (None, None)
    told = form.render(found)  # type: ignore[attr-defined]
    assert "Not compared, and so not in the sums: d." in told.replace("\\", "")
    assert "has a list price" not in told
