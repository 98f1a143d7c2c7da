"""List prices of storage: of regions that exist, and figures that can be true."""

import pytest

from clusterprint import catalog
from clusterprint.catalog import FilestoreTier, LustreTier, NetappTier

TIERS: dict[str, FilestoreTier | NetappTier | LustreTier | None] = {
    **{f"filestore {name}": catalog.filestore_tier(name) for name in catalog.tiers_of("filestore")},
    **{f"netapp {name}": catalog.netapp_tier(name) for name in catalog.tiers_of("netapp")},
    **{f"lustre {rate}": catalog.lustre_tier(rate) for rate in catalog.lustre_tiers()},
}


@pytest.mark.parametrize("name", TIERS)
def test_prices_of_file_systems_are_plausible(name: str) -> None:
    tier = TIERS[name]
    assert tier
    if name == "netapp flex":  # of which no list was found
        assert tier.price(1024, "us-central1") is None
        return
    assert tier.gib_month.keys() <= {*catalog.regions()}
    assert next(iter(tier.gib_month)) == "us-central1", "the first one stands in for others"
    assert all(0.1 < each < 1 for each in tier.gib_month.values())
    # regions differ, but never by so much
    assert max(tier.gib_month.values()) < 2 * min(tier.gib_month.values())
    price = tier.price(1024, "us-central1")
    assert price
    assert catalog.source(price.source)


def test_regional_file_systems_cost_more_than_zonal_ones_everywhere() -> None:
    zonal, regional = catalog.filestore_tier("zonal"), catalog.filestore_tier("regional")
    assert zonal
    assert regional
    assert zonal.gib_month.keys() == regional.gib_month.keys()
    assert all(regional.gib_month[each] > 1.7 * zonal.gib_month[each] for each in zonal.gib_month)


def test_faster_levels_of_netapp_cost_more_everywhere() -> None:
    standard, premium, extreme = (catalog.netapp_tier(each) for each in ("standard", "premium", "extreme"))
    assert standard
    assert premium
    assert extreme
    for region, usd in standard.gib_month.items():
        assert usd < premium.gib_month[region] < extreme.gib_month[region]


@pytest.mark.parametrize("name", [each for each in catalog.disk_types() if each.startswith("hyperdisk-")])
def test_prices_of_disks_are_plausible(name: str) -> None:
    prices = catalog.disk_prices(name)
    assert prices
    assert prices.regions.keys() <= {*catalog.regions()}
    assert next(iter(prices.regions)) == "us-central1", "the first one stands in for others"
    assert all(catalog.source(each) for each in prices.sources)


@pytest.mark.parametrize(
    ("name", "asked", "has"),
    [
        # 3,000 and 6 per GiB; 140 and 1.5 per GiB
        ("hyperdisk-balanced", (100, 0, 0), (100, 3600, 290)),
        ("hyperdisk-balanced", (500, 6000, 0), (500, 6000, 890)),
        ("hyperdisk-balanced", (65536, 0, 0), (65536, 160_000, 2400)),
        ("hyperdisk-balanced", (4, 0, 0), None),
        ("hyperdisk-balanced", (4, 2000, 140), (4, 2000, 140)),
        # no throughput by default that its IOPS do not allow
        ("hyperdisk-balanced", (2000, 3000, 0), (2000, 3000, 750)),
        # 1/4 MiB/s per IOPS, up to 5,000
        ("hyperdisk-extreme", (500, 0, 0), (500, 50_000, 5000)),
        ("hyperdisk-extreme", (500, 10_000, 0), (500, 10_000, 2500)),
        # 24 per GiB, and never less than the least
        ("hyperdisk-ml", (500, 0, 0), (500, 0, 12_000)),
        ("hyperdisk-ml", (4, 0, 0), (4, 0, 400)),
        ("hyperdisk-throughput", (4096, 0, 0), None),
        ("hyperdisk-throughput", (4096, 0, 250), (4096, 0, 250)),
        ("pd-ssd", (100, 0, 0), None),
    ],
)
def test_a_disk_has_what_is_asked_for_or_what_its_type_has_by_default(
    name: str, asked: tuple[int, int, int], has: tuple[int, int, int] | None
) -> None:
    assert catalog.provisioned(name, *asked) == has


@pytest.mark.parametrize(
    ("name", "disk", "region", "usd"),
    [
        # what is included is not paid for
        ("hyperdisk-balanced", (100, 3000, 140), "us-central1", 8),
        ("hyperdisk-balanced", (100, 2000, 100), "us-west1", 8),
        ("hyperdisk-balanced", (500, 6000, 890), "us-central1", 500 * 0.08 + 3000 * 0.005 + 750 * 0.04),
        ("hyperdisk-extreme", (500, 50_000, 0), "us-central1", 500 * 0.125 + 50_000 * 0.032),
        ("hyperdisk-throughput", (4096, 0, 250), "us-central1", 4096 * 0.005 + 250 * 0.25),
        ("hyperdisk-ml", (500, 0, 12_000), "us-central1", 500 * 0.08 + 12_000 * 0.12),
    ],
)
def test_a_disk_costs_its_size_and_what_it_gives(
    name: str, disk: tuple[int, int, int], region: str, usd: float
) -> None:
    assert catalog.disk_price(name, catalog.Provisioned(*disk), region) == (
        round(usd, 2),
        region,
        catalog.disk_prices(name).sources[0],  # type: ignore[union-attr]
    )


def test_a_disk_elsewhere_has_the_price_of_the_first_region() -> None:
    price = catalog.disk_price("hyperdisk-ml", catalog.Provisioned(100, 0, 2400), "europe-west4")
    assert price
    assert (price.usd, price.region) == (296.0, "us-central1")


def test_what_is_seldom_read_is_stored_for_less() -> None:
    classes = [
        catalog.bucket_prices(each) for each in ("RAPID", "STANDARD", "NEARLINE", "COLDLINE", "ARCHIVE")
    ]
    rates = [each.rate("us-central1") for each in classes if each]
    usd = [each.usd for each in rates if each]
    assert usd == sorted(usd, reverse=True)
    assert len(usd) == len(classes)
    assert catalog.bucket_prices("AUTOCLASS") is None
    assert catalog.bucket_cache_prices().rate("europe-west4") == (0.09, "us-central1", "google-bucket-prices")


def test_what_is_bought_for_a_netapp_of_level_flex_brings_iops() -> None:
    flex = catalog.netapp_tier("flex")
    assert flex
    assert flex.speed(1024) == catalog.Speed(67, 67, 1024, 1024)
    assert flex.speed(4096, 128) == catalog.Speed(134, 134, 2048, 2048)
    assert flex.speed(100, 128) is None


@pytest.mark.parametrize(
    ("size", "below", "above"),
    [
        (100, None, 1024),
        (1300, 1280, 1536),
        (10_000, 9_984, 10_240),
        (11_000, 10_240, 12_800),
        (10**6, 102_400, 102_400),
    ],
)
def test_sizes_have_neighbours(size: int, below: int | None, above: int) -> None:
    zonal = catalog.filestore_tier("zonal")
    assert zonal
    assert (zonal.nearest_below(size), zonal.nearest(size)) == (below, above)


def test_what_a_disk_costs_in_another_region_has_its_own_source() -> None:
    disk = catalog.provisioned("hyperdisk-ml", 1000, 0, 2400)
    assert disk
    price = catalog.disk_price("hyperdisk-ml", disk, "southamerica-east1")
    assert price == catalog.MonthlyPrice(585.4, "southamerica-east1", "google-hyperdisk-sao-paulo")
    known = catalog.disk_price("hyperdisk-ml", disk, "us-central1")
    assert known
    assert (known.usd, known.source) == (368.0, "google-hyperdisk-ml-prices")
