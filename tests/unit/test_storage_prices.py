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
