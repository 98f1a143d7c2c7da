"""What file systems, disks and shares of a change cost for a month, worked out by hand from the lists."""

import json
from pathlib import Path

import pytest
from support import GOLDENS

from clusterprint.review.cost import cost
from clusterprint.review.delta import Resource
from clusterprint.review.machines import Machines
from clusterprint.review.stack_file import read_stack
from clusterprint.review.stored import Stored, stored_of


@pytest.fixture
def file_systems(tmp_path: Path) -> list[Stored]:
    """Those of a golden."""
    golden = json.loads((GOLDENS / "gke-volumes.tf.json").read_text("utf-8"))
    file = tmp_path / "cdk.tf.json"
    file.write_text(json.dumps(golden["gke-volumes-cluster"]), "utf-8")
    return sorted(stored_of(read_stack(file, "stack").resources.values()))


def test_file_systems_cost_what_is_listed_and_say_what_they_give(file_systems: list[Stored]) -> None:
    home, code, scratch, eda = file_systems
    assert eda.what.startswith("NetApp standard, 2,048 GiB (33 MB/s read")
    given = "(1,258 MB/s read, 367 MB/s written: 1 TB in 2,725 seconds)"
    assert home.what == f"Filestore basic_ssd, 2,560 GiB {given}"
    given = "(8,789 MB/s read, 8,789 MB/s written: 1 TB in 114 seconds)"
    assert scratch.what == f"Managed Lustre, 1000 MB/s per TiB, 9,000 GiB {given}"
    found = cost({"c": ((), ())}, stored={"c": ((code,), (home, code))})
    assert [(row.what, row.before, row.after, row.region) for row in found.rows] == [
        (home.what, 0, 1.05, "us-central1"),
        (code.what, 0.35, 0.35, "us-central1"),
    ]
    assert found.per_month == 768
    assert "divided by 730 hours" in found.note


def test_a_file_system_without_a_price_leaves_the_sum_open() -> None:
    values = {
        "location": "eastus",
        "sku_name": "AMLFS-Durable-Premium-250",
        "storage_capacity_in_tb": 8,
    }
    (scratch,) = stored_of([Resource("s", "azurerm_managed_lustre_file_system", "a.b", "a.b", values)])
    grown = cost({}, stored={"c": ((), (scratch,))})
    assert (grown.per_hour, grown.without_price) == (None, (scratch.what,))
    assert cost({}, stored={"c": ((scratch,), (scratch,))}).per_hour == 0


@pytest.mark.parametrize(
    ("level", "region", "per_month"),
    [
        ("STANDARD", "us-central1", 409.6),
        ("PREMIUM", "europe-west4", 602.52),
        ("EXTREME", "europe-west6", 1005.36),
    ],
)
def test_a_netapp_costs_what_its_level_does_in_its_region(level: str, region: str, per_month: float) -> None:
    values = {"location": region, "service_level": level, "capacity_gib": "2048"}
    (found,) = stored_of([Resource("s", "google_netapp_storage_pool", "a.b", "a.b", values)])
    added = cost({}, stored={"c": ((), (found,))})
    assert added.per_month == per_month
    (row,) = added.rows
    assert (row.region, row.why) == (region, "")


@pytest.mark.parametrize(
    ("rate", "gib", "per_month"),
    [(125, 72_000, 10_440), (250, 36_000, 7_560), (500, 18_000, 6_120), (1000, 9_000, 5_400)],
)
def test_a_lustre_costs_what_its_tier_does(rate: int, gib: int, per_month: float) -> None:
    values = {
        "location": "us-central1-a",
        "capacity_gib": str(gib),
        "per_unit_storage_throughput": str(rate),
    }
    (found,) = stored_of([Resource("s", "google_lustre_instance", "a.b", "a.b", values)])
    added = cost({}, stored={"c": ((), (found,))})
    assert (added.per_month, added.without_price) == (per_month, ())
    (row,) = added.rows
    assert (row.region, row.why) == ("us-central1", "")
    assert row.source.endswith("of 2026-06-05"), "the list, and not the page about the tiers"


def test_a_lustre_elsewhere_says_whose_price_it_has() -> None:
    values = {
        "location": "europe-west4-b",
        "capacity_gib": "18000",
        "per_unit_storage_throughput": "500",
    }
    (found,) = stored_of([Resource("s", "google_lustre_instance", "a.b", "a.b", values)])
    (row,) = cost({}, stored={"c": ((), (found,))}).rows
    assert (row.region, row.why) == ("us-central1", "no price of europe-west4 is known")


def test_a_pool_of_disks_is_named_as_what_has_no_price(tmp_path: Path) -> None:
    golden = json.loads((GOLDENS / "disk-pools.tf.json").read_text("utf-8"))
    file = tmp_path / "cdk.tf.json"
    file.write_text(json.dumps(golden), "utf-8")
    fast, slow = sorted(stored_of(read_stack(file, "stack").resources.values()))
    assert fast.what == "Pool of hyperdisk-balanced, 10,240 GiB, 1,024 MiB/s, 10,000 IOPS"
    assert slow.what == "Pool of hyperdisk-throughput, 20,480 GiB, 600 MiB/s"
    grown = cost({}, stored={"c": ((), (fast,))})
    assert (grown.per_hour, grown.without_price) == (None, (fast.what,))


def test_a_size_that_is_known_later_costs_nothing_yet() -> None:
    values = {"tier": "ZONAL", "location": "us-central1-a", "file_shares": {"capacity_gb": "${var.size}"}}
    assert stored_of([Resource("s", "google_filestore_instance", "a.b", "a.b", values)]) == []


def test_a_review_says_how_fast_all_nodes_read(file_systems: list[Stored]) -> None:
    nodes = Machines("nodes", "nodes", "a3-ultragpu-8g", "spot", 2, 2, region="us-central1")
    system = Machines("system", "system", "e2-standard-4", "on_demand", 3, 3, region="us-central1")
    found = cost({"c": ((), (nodes, system))}, stored={"c": ((), file_systems[:1])})
    assert "All nodes of c together read at most 50,000 MB/s." in found.note
    unknown = Machines("tpu", "tpu", "ct6e-standard-4t", "spot", 2, 2, region="us-central1")
    assert "read at most" not in cost({"c": ((), (unknown,))}, stored={"c": ((), file_systems)}).note
