"""Regions, zones and locations of the catalog agree with each other."""

import json
import re

import pytest
from catalog_tables import FOLDER, each_machine

from clusterprint import catalog
from clusterprint.catalog import zones
from clusterprint.derived import node_pools

ZONE = re.compile(r"[a-z]+-[a-z]+[0-9]+-[a-z0-9]+")


@each_machine
def test_zones_are_well_formed_and_in_known_regions(machine: catalog.Machine) -> None:
    assert not machine.is_certain("zones")
    for zone in machine.zones or ():
        assert ZONE.fullmatch(zone)
        assert catalog.region_of(zone) in catalog.regions()
    assert machine.zones is None or len(set(machine.zones)) == len(machine.zones) > 0


def test_every_list_of_zones_belongs_to_something() -> None:
    lists = json.loads((FOLDER / "google" / "zones.json").read_bytes())["lists"]
    families = set(json.loads((FOLDER / "google" / "machines.json").read_bytes()))
    gpus = {gpu.accelerator_type for gpu in catalog.attachable_gpus()}
    tpus = {tpu.name for tpu in catalog.tpu_types()}
    assert set(lists) <= families | gpus | tpus
    for key in lists:
        found = zones.zone_list(key)
        assert found is not None
        assert {catalog.region_of(zone) for zone in found.names} <= set(catalog.regions()), key


# Regions whose zones are not a, b and c, besides AI zones.
OTHER_ZONES = {
    "europe-west1": "bcd",
    "us-central1": "abcf",
    "us-central2": "b",
    "us-east1": "bcd",
}
AI_ZONES = {"europe-west4-ai1a", "us-central1-ai1a", "us-south1-ai1b", "us-west4-ai2b"}


def test_regions_are_sorted_and_unique() -> None:
    assert list(catalog.regions()) == sorted(set(catalog.regions()))
    assert len(catalog.regions()) >= 44


def test_every_zone_begins_with_its_region() -> None:
    names = catalog.zone_names()
    assert list(names) == sorted(set(names))
    assert {catalog.region_of(zone) for zone in names} == set(catalog.regions())
    assert all(ZONE.fullmatch(zone) for zone in names)


@pytest.mark.parametrize("region", catalog.regions())
def test_zones_of_a_region(region: str) -> None:
    ordinary = [zone for zone in catalog.zone_names(region) if zone not in AI_ZONES]
    assert ordinary == [f"{region}-{letter}" for letter in OTHER_ZONES.get(region, "abc")]
    assert f"{region}-{node_pools.DEFAULT_ZONE}" in ordinary, "nodes run there when no zone is named"


def test_ai_zones_share_the_letter_of_a_zone_beside_them() -> None:
    found = {zone for zone in catalog.zone_names() if "-ai" in zone}
    assert found == AI_ZONES
    assert {f"{catalog.region_of(zone)}-{zone[-1]}" for zone in found} <= set(catalog.zone_names())


def test_zones_of_a_region_that_is_not_known() -> None:
    assert catalog.zone_names("us-centrall1") == ()


@pytest.mark.parametrize("key", json.loads((FOLDER / "google" / "zones.json").read_bytes())["lists"])
def test_accelerators_are_in_zones_that_there_are(key: str) -> None:
    found = zones.zone_list(key)
    assert found is not None
    assert set(found.names) <= set(catalog.zone_names())


def test_flex_start_of_tpus_is_in_zones_that_there_are() -> None:
    for tpu in catalog.tpu_types():
        assert set(tpu.flex_start_zones) <= set(catalog.zone_names()), tpu.name


def test_bucket_locations() -> None:
    several = catalog.bucket_locations()
    for location, pair in several.dual_regions.items():
        assert set(pair) <= set(catalog.regions()), location
        assert several.is_near(location, pair[0])
        assert not several.is_near(location, "africa-south1")
    for location, beginning in several.multi_regions.items():
        assert any(several.is_near(location, region) for region in catalog.regions()), beginning
        assert location not in several.dual_regions
    assert several.is_near("us-east5", "us-east5")
    assert not several.is_near("us-east5", "us-east4")


def test_azure_locations_are_sorted_and_unique() -> None:
    names = catalog.azure_locations()
    assert list(names) == sorted(set(names))
    assert all(re.fullmatch(r"[a-z]+[0-9]?", name) for name in names)
    assert {"southcentralus", "eastus2", "denmarkeast", "switzerlandwest"} <= set(names)
    assert not {"usgovvirginia", "chinaeast", "centraluseuap"} & set(names), "other clouds, and tests"


def test_zones_of_machines_gpus_and_tpus() -> None:
    assert "us-central1-f" in (catalog.zones_of("a2-highgpu-2g") or ())
    assert "us-central1-a" in (catalog.zones_of("nvidia-tesla-t4") or ())
    assert catalog.zones_of("v4") == ("us-central2-b",)
    assert catalog.zones_of("a4x-highgpu-4g") is None
    assert catalog.zones_of("nonsense") is None


def test_zonal_storage_is_in_zones_that_there_are() -> None:
    for found in (catalog.lustre_zones(), catalog.bucket_ai_zones()):
        assert set(found.names) <= set(catalog.zone_names())
    assert catalog.lustre_zones().until in catalog.lustre_zones().zones


@pytest.mark.parametrize(
    ("zone", "lacks"),
    [
        ("asia-northeast1-a", True),
        ("asia-northeast1-b", False),
        # a region that the newest list would name
        ("asia-southeast3-a", True),
        # of which only an older list is known: what it lacks may have come
        ("us-central1-ai1a", False),
        ("us-east5-a", False),
    ],
)
def test_lustre_lacks_a_zone_only_where_the_newest_list_says_so(zone: str, lacks: bool) -> None:
    assert catalog.lustre_zones().lacks(zone) is lacks
