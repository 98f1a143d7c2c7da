"""List prices: what follows from a family, and whether the figures can be true."""

import re
from collections.abc import Iterable

import pytest

from clusterprint import catalog
from clusterprint.catalog.fact import read_table
from clusterprint.catalog.prices import _Azure, _Family, _Google

GOOGLE, AZURE = read_table("google/prices", _Google), read_table("azure/prices", _Azure)
ENTRIES = {**GOOGLE.machines, **GOOGLE.gpus, **GOOGLE.tpu_chips, **AZURE.machines}

#: What no list has a price for: sold by contract, or shares of a GPU, or without the local SSDs.
WITHOUT_PRICE = {
    "a3-edgegpu-8g-nolssd", "a3-ultragpu-8g-nolssd", "a4-highgpu-8g-nolssd", "a4x-highgpu-4g-nolssd",
    "a4x-highgpu-4g", "a4x-maxgpu-4g-metal", "g4-standard-6", "g4-standard-12", "g4-standard-24",
    "Standard_ND128isr_GB300_v6", "Standard_ND128isrG5_GB300_v6", "Standard_HB368rs_v5",
}  # fmt: skip

#: US dollars per hour for one GPU with its share of a machine on demand: the least and the most.
BANDS = {
    "A100 40GB": (2.7, 4.6), "A100 80GB": (3.4, 7), "H100 80GB": (9, 16.5), "H100 Mega 80GB": (10, 16),
    "H200 141GB": (9, 17), "B200 180GB": (9, 14), "L4 24GB": (0.6, 2.8), "RTX PRO 6000 96GB": (4, 6),
    "H100 NVL 94GB": (6, 11), "MI300X 192GB": (5, 8), "GB200 192GB": (20, 32),
}  # fmt: skip


def usd(name: str, model: catalog.CapacityModel = "on_demand", region: str = "") -> float:
    price = catalog.hourly_price(name, model, region)
    assert price is not None, name
    return price.usd


@pytest.mark.parametrize(
    ("name", "region", "listed"),
    [
        # each is a figure of the source that is not in the table
        ("a2-highgpu-8g", "us-central1", 29.38708),
        ("a2-ultragpu-8g", "us-east4", 45.66186),
        ("a3-highgpu-8g", "us-central1", 88.49),
        ("a3-highgpu-8g", "us-east5", 99.583201),
        ("g2-standard-4", "us-east4", 0.704518),
        ("g2-standard-96", "us-east4", 7.977124),
        ("g2-standard-96", "europe-west4", 8.411901),
        ("g2-standard-12", "europe-west3", 1.179027),
        ("g2-standard-96", "us-west4", 8 * 0.63077 + 3.96796),
        ("g2-standard-4", "me-central2", 0.89606 + 0.23487),
        ("g4-standard-96", "asia-south2", 11.70),
        ("g4-standard-384", "europe-west4", 39.60),
        ("a3-highgpu-8g", "australia-southeast1", 110.678267),
        ("a3-highgpu-8g", "europe-west4", 112.540479),
        ("e2-medium", "us-east4", 0.037735),
        ("e2-micro", "us-central1", 0.008376),
        ("n1-highmem-96", "us-east4", 6.395184),
        ("n2-highcpu-96", "us-central1", 3.441408),
        ("n2d-highmem-96", "us-east1", 5.47104),
        ("n4-highcpu-80", "us-east5", 3.0616),
        ("c3-highmem-176", "us-east4", 11.643104),
        ("c3d-highcpu-360", "us-central1", 13.445652),
        ("c4-highmem-8", "us-east1", 0.521356),
        ("c4a-highmem-72", "us-east1", 4.24368),
        ("c4d-highcpu-384", "us-east4", 15.260555),
        ("c4d-highmem-384", "europe-west4", 25.103693),
        ("n1-highcpu-96", "europe-west4", 3.743962),
        ("c2-standard-60", "us-central1", 3.13212),
        ("t2d-standard-60", "us-east1", 2.53476),
        ("Standard_D96s_v5", "eastus", 4.608),
        ("Standard_D96ads_v5", "southcentralus", 5.933),
    ],
)
def test_sizes_follow_from_one_of_their_family(name: str, region: str, listed: float) -> None:
    price = catalog.hourly_price(name, "on_demand", region)
    assert price is not None
    assert price.region == region
    assert price.usd == pytest.approx(listed, rel=0.002)


@pytest.mark.parametrize(
    ("name", "region", "listed"),
    [
        ("a3-highgpu-8g", "us-east4", 23.513996),
        ("g2-standard-96", "us-west1", 3.194464),
        ("g2-standard-96", "europe-west4", 3.955872),
        ("g2-standard-32", "us-west4", 0.2103 + 0.40998),
        ("n2-highmem-96", "us-east4", 1.559616),
        ("c3-highcpu-176", "us-central1", 1.144704),
        ("e2-highmem-16", "us-east5", 0.16288),
        ("c2d-highcpu-112", "africa-south1", 1.062122),
    ],
)
def test_spot_sizes_follow_too_if_less_exactly(name: str, region: str, listed: float) -> None:
    price = catalog.hourly_price(name, "spot", region)
    assert price is not None
    assert price.region == region
    assert price.usd == pytest.approx(listed, rel=0.1)


def test_flex_start_is_the_sum_of_its_skus() -> None:
    gpus, cores, memory, disks = 8 * 4.200761, 208 * 0.010934, 1872 * 0.000952, 6000 * 0.08 / 730
    assert usd("a3-highgpu-8g", "flex_start") == pytest.approx(gpus + cores + memory + disks, rel=0.001)


def test_h4d_is_the_sum_of_its_parts_and_of_local_ssds() -> None:
    assert usd("h4d-standard-192") == pytest.approx(192 * 0.03224 + 720 * 0.00231)
    assert usd("h4d-highmem-192") == pytest.approx(192 * 0.03224 + 1488 * 0.00231)
    # ten of 375 GiB, at what they cost a month elsewhere
    local_ssds = usd("h4d-highmem-192-lssd") - usd("h4d-highmem-192")
    assert local_ssds == pytest.approx(3750 * 0.08 / 730, rel=0.05)


@pytest.mark.parametrize(
    ("chip", "region", "model", "chips", "listed"),
    [
        # slices of many chips, as they stand in the source
        ("v4", "us-central2", "on_demand", 2048, 6594.56),
        ("v4", "us-central2", "spot", 2048, 1887.232),
        ("v5e", "us-south1", "on_demand", 64, 90.624),
        ("v5e", "asia-northeast1", "spot", 64, 27.16179),
    ],
)
def test_a_slice_costs_its_chips(
    chip: str, region: str, model: catalog.CapacityModel, chips: int, listed: float
) -> None:
    price = catalog.tpu_chip_hourly_price(chip, model, region)
    assert price is not None
    assert price.region == region
    assert price.usd * chips == pytest.approx(listed, rel=0.0001)


def test_a_tpu_machine_costs_its_chips() -> None:
    chip = catalog.tpu_chip_hourly_price("v6e", "spot", "us-east5")
    assert chip is not None
    assert chip.usd == 1.215
    assert usd("ct6e-standard-8t", "spot", "us-east5") == pytest.approx(8 * 1.215)


def test_a_region_without_a_price_takes_the_first_one_and_says_so() -> None:
    price = catalog.hourly_price("a2-highgpu-8g", "on_demand", "europe-west9")
    assert price is not None
    assert (price.usd, price.region) == (29.38708, "us-central1")


def test_a_reservation_costs_what_its_machines_cost_on_demand() -> None:
    price = catalog.hourly_price("a3-megagpu-8g", "reservation", "us-east4")
    assert price is not None
    assert price.model == "on_demand"
    assert price == catalog.hourly_price("a3-megagpu-8g", "on_demand", "us-east4")


def test_what_has_no_list_price_is_known_and_all_else_has_one() -> None:
    sizes = [each.name for each in catalog.azure_sizes()]
    tpus = [name for tpu in catalog.tpu_types() for name in tpu.machines]
    names = {*catalog.machine_names(), *sizes, *tpus}
    found = {
        name
        for name in names
        if not any(catalog.hourly_price(name, model) for model in catalog.CAPACITY_MODELS)
    }
    assert found == WITHOUT_PRICE
    assert all(
        catalog.gpu_hourly_price(gpu.accelerator_type, "on_demand") for gpu in catalog.attachable_gpus()
    )


@pytest.mark.parametrize(
    "name", ["n2-custom-8-30720", "custom-4-8192", "a3-highgpu-3g", "m9-standard-8", "Standard_D32-8s_v3", ""]
)
def test_nothing_is_made_up(name: str) -> None:
    assert catalog.hourly_price(name, "on_demand", "us-central1") is None


def test_models_without_a_list_have_no_price() -> None:
    assert catalog.hourly_price("a3-megagpu-8g", "flex_start") is None
    assert catalog.hourly_price("Standard_ND96isr_H200_v5", "spot") is None
    assert catalog.gpu_hourly_price("nvidia-tesla-v100", "spot") is None
    assert catalog.gpu_hourly_price("nvidia-h200-141gb", "on_demand") is None


@pytest.mark.parametrize("name", ENTRIES)
def test_figures_are_plausible(name: str) -> None:
    entry = ENTRIES[name]
    assert entry.on_demand
    for listed in (entry.on_demand, entry.spot, entry.flex_start):
        assert all(0 < each < 150 for each in listed.values())
    for cheaper in (entry.spot, entry.flex_start):
        both = cheaper.keys() & entry.on_demand.keys()
        assert all(cheaper[region] < entry.on_demand[region] for region in both)
    # regions differ, but never by so much
    assert max(entry.on_demand.values()) < 2.5 * min(entry.on_demand.values())
    assert all(catalog.source(each) for each in entry.sources)
    assert all(catalog.source(each) for of in entry.sources_of.values() for each in of)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", entry.date)


def test_google_prices_are_of_things_and_regions_that_exist() -> None:
    for key, family in GOOGLE.machines.items():
        assert catalog.machine(family.size), key
        assert all(map(catalog.machine, (*family.unlisted, *family.billed_vcpus))), key
    assert all(map(catalog.gpu, GOOGLE.gpus))
    assert all(map(catalog.tpu_type, GOOGLE.tpu_chips))
    for entry in (*GOOGLE.machines.values(), *GOOGLE.gpus.values(), *GOOGLE.tpu_chips.values()):
        assert {*entry.on_demand, *entry.spot, *entry.flex_start} <= {*catalog.regions()}


def test_azure_prices_are_of_sizes_that_exist() -> None:
    exact = {key for key in AZURE.machines if "*" not in key}
    assert exact <= {each.name for each in catalog.azure_sizes()}
    for key, family in AZURE.machines.items():
        assert not family.size or catalog.hourly_price(family.size, "on_demand"), key


def test_a_gpu_costs_what_such_gpus_cost() -> None:
    seen = set()
    for label, gpus, price in _on_demand():
        least, most = BANDS[label]
        assert least <= price.usd / gpus <= most, (label, price)
        seen.add(label)
    assert seen == set(BANDS)


def test_a_core_costs_what_such_cores_cost() -> None:
    """US dollars per hour for one core, with its memory and network, of machines without GPUs or threads."""
    cores = {each.name: each.vcpus for each in catalog.azure_sizes() if not each.gpus}
    for name in catalog.machine_names():
        if name.startswith(("h3-", "h4d-")) and (found := catalog.machine(name)):
            cores[name] = found.vcpus
    seen = set()
    for name, number in cores.items():
        for region in _regions(name, {**GOOGLE.machines, **AZURE.machines}):
            assert 0.025 <= usd(name, region=region) / number <= 0.08, (name, region)
            seen.add(name)
    assert seen == cores.keys() - WITHOUT_PRICE
    assert len(seen) == 9


def _on_demand() -> Iterable[tuple[str, float, catalog.Price]]:
    for machine in catalog.machines():
        for region in _regions(machine.name, GOOGLE.machines):
            price = catalog.hourly_price(machine.name, "on_demand", region)
            if machine.gpu and price:
                yield machine.gpu.label, machine.gpus, price
    for size in catalog.azure_sizes():
        for region in _regions(size.name, AZURE.machines):
            price = catalog.hourly_price(size.name, "on_demand", region)
            if size.gpus and price:
                yield size.gpu_model, size.gpus, price


def _regions(name: str, families: dict[str, _Family]) -> Iterable[str]:
    return next((each.on_demand for key, each in families.items() if name.startswith(key)), ())
