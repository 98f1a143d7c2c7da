"""Monthly cost of file systems, disks and shares of a change, calculated by hand from the lists."""

from collections import Counter

import pytest
from support import resources_of

from clusterprint.derived.machines import Machines
from clusterprint.review.cost import cost
from clusterprint.review.delta import Resource
from clusterprint.review.machines import machines_of
from clusterprint.review.stored import Stored, stored_of


@pytest.fixture
def file_systems() -> list[Stored]:
    """Those of a golden, by their names."""
    found = stored_of(resources_of("gke-volumes", "gke-volumes-cluster"))
    return sorted(each for each in found if not each.what.startswith("Disk"))


def test_file_systems_cost_what_is_listed_and_say_what_they_give(file_systems: list[Stored]) -> None:
    home, code, scratch, eda = file_systems
    assert eda.what.startswith("NetApp standard gke-volumes-eda, 2,048 GiB (33 MB/s read")
    given = "(1,258 MB/s read, 367 MB/s written: 1 TB in 2,725 seconds)"
    assert home.what == f"Filestore basic_ssd gke-volumes-home, 2,560 GiB {given}"
    given = "(8,789 MB/s read, 8,789 MB/s written: 1 TB in 114 seconds)"
    assert scratch.what == f"Managed Lustre gke-volumes-scratch, 1000 MB/s per TiB, 9,000 GiB {given}"
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


def test_a_netapp_of_level_flex_gives_what_is_bought() -> None:
    values = {"service_level": "FLEX", "capacity_gib": "1024", "location": "us-east1-b"}
    (found,) = stored_of([Resource("s", "google_netapp_storage_pool", "a.b", "a.b", values)])
    assert found.what.startswith("NetApp flex, 1,024 GiB (67 MB/s read")
    assert (found.region, found.price) == ("us-east1", None)
    bought = {**values, "total_throughput_mibps": "1024"}
    (found,) = stored_of([Resource("s", "google_netapp_storage_pool", "a.b", "a.b", bought)])
    assert found.what.startswith("NetApp flex, 1,024 GiB (1,073 MB/s read")


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


def test_a_parallelstore_is_named_as_what_has_no_price() -> None:
    (found,) = stored_of(resources_of("parallelstore"))
    given = "(19,293 MB/s read, 8,388 MB/s written: 1 TB in 120 seconds)"
    assert found.what == f"Parallelstore scratchy-scratch-d46ad073, 16,000 GiB {given}"
    added = cost({}, stored={"c": ((), (found,))})
    assert (added.per_hour, added.without_price) == (None, (found.what,))


def test_a_pool_of_disks_is_named_as_what_has_no_price_and_what_is_in_it_is_not() -> None:
    plain, fast, slow = sorted(stored_of(resources_of("disk-pools")))
    assert plain.what == "Disk pooled-plain-c53e6450, hyperdisk-ml, of a size that is not known"
    assert fast.what == "Pool pooled-fast of hyperdisk-balanced, 10,240 GiB, 10,000 IOPS, 1,024 MiB/s"
    assert slow.what == "Pool pooled-slow of hyperdisk-throughput, 20,480 GiB, 600 MiB/s"
    grown = cost({}, stored={"c": ((), (plain, fast))})
    assert (grown.per_hour, grown.without_price) == (None, (plain.what, fast.what))


def disk(**values: object) -> Stored:
    """A disk that stands for itself."""
    values = {"name": "d", "type": "hyperdisk-ml", "zone": "us-central1-a", **values}
    (found,) = stored_of([Resource("s", "google_compute_disk", "a.b", "a.b", values)])
    return found


def test_a_disk_costs_its_size_and_what_it_gives() -> None:
    weights = disk(name="weights", size=500, provisioned_throughput="9600")
    assert weights.what == "Disk weights, hyperdisk-ml, 500 GiB, 9,600 MiB/s"
    added = cost({}, stored={"c": ((), (weights,))})
    assert added.per_month == 500 * 0.08 + 9600 * 0.12
    (row,) = added.rows
    assert (row.region, row.why) == ("us-central1", "")
    assert row.source.endswith("of 2026")


def test_a_disk_for_which_nothing_is_asked_costs_what_it_gets() -> None:
    assert disk(size=500).what == "Disk d, hyperdisk-ml, 500 GiB, 12,000 MiB/s"
    assert cost({}, stored={"c": ((), (disk(size=500),))}).per_month == 1480


@pytest.mark.parametrize(
    "values",
    [
        {"type": "hyperdisk-throughput", "size": 4096},
        {"type": "pd-ssd", "size": 100},
        {"type": "zones/us-central1-a/diskTypes/pd-ssd", "size": 100},
        {"size": "${var.size}"},
    ],
)
def test_a_disk_that_has_no_list_price_is_named(values: dict[str, object]) -> None:
    found = cost({}, stored={"c": ((), (disk(**values),))})
    assert found.per_hour is None
    assert found.without_price[0].startswith("Disk d, ")


def test_each_node_has_disks_of_its_own() -> None:
    resources = resources_of("volumes")
    (group,) = (each for each in machines_of(resources) if each.disks)
    found = stored_of(resources)
    own = {each.what: number for each, number in found.items() if "of each node" in each.what}
    assert own == {
        "Disk work of each node, hyperdisk-balanced, 500 GiB, 6,000 IOPS, 890 MiB/s": group.most,
        "Disk fast of each node, hyperdisk-balanced, 200 GiB, 4,200 IOPS, 300 MiB/s": group.most,
    }
    work, fast = 500 * 0.08 + 3000 * 0.005 + 750 * 0.04, 200 * 0.08 + 1200 * 0.005 + 160 * 0.04
    disks = {each: number for each, number in found.items() if each.what in own}
    added = cost({}, stored={"c": ((), Counter(disks))})
    assert added.per_month == pytest.approx(group.most * (work + fast))


def test_more_nodes_have_more_disks() -> None:
    few, many = (
        Counter({disk(size=100): 2}),
        Counter({disk(size=100): 1000}),
    )
    (row,) = cost({}, stored={"c": (few, many)}).rows
    assert (row.before, row.after) == (round(2 * 296 / 730, 2), round(1000 * 296 / 730, 2))


def test_a_share_costs_its_size_where_its_account_is() -> None:
    (meshes,) = stored_of(resources_of("vmss-hpc"))
    gives = "212 MB/s read, 212 MB/s written: 1 TB in 4,717 seconds"
    assert meshes.what == f"Azure Files meshes, Premium LRS, 1,024 GiB ({gives})"
    added = cost({}, stored={"c": ((), (meshes,))})
    assert added.per_month == 163.84
    (row,) = added.rows
    assert (row.region, row.why) == ("eastus", "")


def share(**account: str) -> Stored:
    """A share of 100 GiB in an account."""
    (found,) = stored_of(
        [
            Resource("s", "azurerm_storage_account", "a.b", "a.b", {"location": "eastus", **account}),
            Resource("s", "azurerm_storage_share", "c.d", "c.d", {"name": "home", "quota": 100}),
        ]
    )
    return found


def test_a_share_elsewhere_says_whose_price_it_has() -> None:
    found = share(location="West Europe", account_tier="Premium", account_replication_type="LRS")
    (row,) = cost({}, stored={"c": ((), (found,))}).rows
    assert (row.region, row.why) == ("eastus", "no price of westeurope is known")


@pytest.mark.parametrize(
    ("account", "what"),
    [
        ({"account_tier": "Premium", "account_replication_type": "ZRS"}, "Premium ZRS, 100 GiB"),
        ({"account_tier": "Standard", "account_replication_type": "LRS"}, "Standard LRS, 100 GiB"),
        ({}, "100 GiB"),
    ],
)
def test_a_share_that_has_no_list_price_is_named(account: dict[str, str], what: str) -> None:
    found = cost({}, stored={"c": ((), (share(**account),))})
    assert (found.per_hour, found.without_price) == (None, (f"Azure Files home, {what}",))


def test_a_size_that_is_known_later_costs_nothing_yet() -> None:
    values = {"tier": "ZONAL", "location": "us-central1-a", "file_shares": {"capacity_gb": "${var.size}"}}
    assert stored_of([Resource("s", "google_filestore_instance", "a.b", "a.b", values)]) == {}


def test_a_review_says_how_fast_all_nodes_read(file_systems: list[Stored]) -> None:
    nodes = Machines("nodes", "nodes", "a3-ultragpu-8g", "spot", 2, 2, region="us-central1")
    system = Machines("system", "system", "e2-standard-4", "on_demand", 3, 3, region="us-central1")
    found = cost({"c": ((), (nodes, system))}, stored={"c": ((), file_systems[:1])})
    assert "All nodes of c together read at most 50,000 MB/s." in found.note
    unknown = Machines("tpu", "tpu", "ct6e-standard-4t", "spot", 2, 2, region="us-central1")
    assert "read at most" not in cost({"c": ((), (unknown,))}, stored={"c": ((), file_systems)}).note
