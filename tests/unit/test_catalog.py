"""The facts of the catalog agree with each other, and the look-ups find them."""

import json
import math
import re
import subprocess
import sys
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from clusterprint import catalog
from clusterprint.catalog import cpu_families, zones
from clusterprint.derived import node_pools

FOLDER = Path(catalog.__file__).parent
TABLES = sorted(path for path in FOLDER.rglob("*.json") if path.name != "sources.json")
MACHINES = catalog.machines()
ZONE = re.compile(r"[a-z]+-[a-z]+[0-9]+-[a-z0-9]+")

# What the documentation of the machine types states for the whole machine. The tables hold the facts
# per GPU, per disk and per network; this is the second entry of the books.
# name: memory of all GPUs in GB, local SSD that is always there in GiB, network interfaces
TOTALS = {
    "a2-highgpu-1g": (40, 0, 1),
    "a2-highgpu-2g": (80, 0, 1),
    "a2-highgpu-4g": (160, 0, 1),
    "a2-highgpu-8g": (320, 0, 1),
    "a2-megagpu-16g": (640, 0, 1),
    "a2-ultragpu-1g": (80, 375, 1),
    "a2-ultragpu-2g": (160, 750, 1),
    "a2-ultragpu-4g": (320, 1500, 1),
    "a2-ultragpu-8g": (640, 3000, 1),
    "a3-highgpu-1g": (80, 750, 1),
    "a3-highgpu-2g": (160, 1500, 1),
    "a3-highgpu-4g": (320, 3000, 1),
    "a3-highgpu-8g": (640, 6000, 5),
    "a3-edgegpu-8g": (640, 6000, 5),
    "a3-megagpu-8g": (640, 6000, 9),
    "a3-ultragpu-8g": (1128, 12000, 10),
    "a4-highgpu-8g": (1440, 12000, 10),
    "a4x-highgpu-4g": (744, 12000, 6),
    "a4x-maxgpu-4g-metal": (1116, 12000, 10),
    "g2-standard-4": (24, 0, 1),
    "g2-standard-8": (24, 0, 1),
    "g2-standard-12": (24, 0, 1),
    "g2-standard-16": (24, 0, 1),
    "g2-standard-24": (48, 0, 1),
    "g2-standard-32": (24, 0, 1),
    "g2-standard-48": (96, 0, 1),
    "g2-standard-96": (192, 0, 1),
    "g4-standard-6": (12, 0, 1),
    "g4-standard-12": (24, 0, 1),
    "g4-standard-24": (48, 0, 1),
    "g4-standard-48": (96, 0, 1),
    "g4-standard-96": (192, 0, 1),
    "g4-standard-192": (384, 0, 1),
    "g4-standard-384": (768, 0, 2),
}


def known(name: str) -> catalog.Machine:
    found = catalog.machine(name)
    assert found is not None, name
    return found


def entries(value: Any, where: str = "") -> list[tuple[str, dict[str, Any]]]:
    """All entries below a JSON value: the objects that state their sources."""
    if not isinstance(value, dict):
        return []
    here = [(where, value)] if "sources" in value else []
    return here + [entry for key, inner in value.items() for entry in entries(inner, f"{where}/{key}")]


ENTRIES = [
    pytest.param(entry, id=f"{path.relative_to(FOLDER).with_suffix('')}{where}")
    for path in TABLES
    for where, entry in entries(json.loads(path.read_bytes()))
]
each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)


# Every entry


def test_there_are_entries_in_every_table() -> None:
    tables = {str(param.id).split("/", 2)[1] for param in ENTRIES}
    assert tables >= {path.stem for path in TABLES}


@pytest.mark.parametrize("entry", ENTRIES)
def test_entry_says_where_it_comes_from_and_when_it_was_checked(entry: dict[str, Any]) -> None:
    assert entry["sources"]
    for key in entry["sources"]:
        assert catalog.source(key), f"{key} is not in sources.json"
    assert date.fromisoformat(entry["date"]) >= date(2026, 1, 1)


def test_every_source_is_used() -> None:
    used = {key.partition(" ")[0] for param in ENTRIES for key in param.values[0]["sources"]}  # type: ignore[index]
    listed = set(json.loads((FOLDER / "sources.json").read_bytes()))
    assert listed == used


def test_every_source_has_a_title_and_a_date() -> None:
    for key, entry in json.loads((FOLDER / "sources.json").read_bytes()).items():
        assert entry["title"], key
        assert re.fullmatch(r"20\d\d(-\d\d-\d\d)?", entry["date"]), key


@pytest.mark.parametrize("path", TABLES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_no_key_is_written_twice(path: Path) -> None:
    def refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), keys
        return dict(pairs)

    json.loads(path.read_bytes(), object_pairs_hook=refuse_twins)


def test_uncertain_names_fields_that_exist() -> None:
    facts: list[catalog.Fact] = [
        *map(known, catalog.machine_names()),
        *(machine.network for machine in MACHINES),
        *catalog.images(),
        *catalog.tpu_types(),
        *catalog.azure_sizes(),
        *filter(None, (catalog.nccl(size.name) for size in catalog.azure_sizes())),
        *filter(None, map(catalog.disk_type, catalog.disk_types())),
        catalog.placement(),
        catalog.gke_limits(),
        *catalog.gke_features(),
        catalog.reserved_keys(),
        *filter(None, (machine.gpu for machine in MACHINES)),
    ]
    for fact in facts:
        assert set(fact.uncertain) <= set(fact.__struct_fields__), fact


# Machines with GPUs


def test_every_machine_is_in_the_books() -> None:
    assert {machine.name.removesuffix("-nolssd") for machine in MACHINES} == set(TOTALS)


@each_machine
def test_totals_of_a_machine(machine: catalog.Machine) -> None:
    gpu_memory, ssd, nics = TOTALS[machine.name.removesuffix("-nolssd")]
    if machine.name.endswith("-nolssd"):
        ssd = 0
    assert machine.gpu_memory_gb == gpu_memory
    assert machine.local_ssd.total_gib == ssd
    assert machine.network.nics == nics


@each_machine
def test_gpu_count_is_what_the_name_says(machine: catalog.Machine) -> None:
    said = re.search(r"-(\d+)g(-|$)", machine.name)
    if said:
        assert machine.gpus == int(said[1])
    if machine.series == "g4":
        assert machine.gpus == machine.vcpus / 48


@each_machine
def test_vcpu_count_is_what_the_name_says(machine: catalog.Machine) -> None:
    said = re.search(r"-standard-(\d+)$", machine.name)
    assert not said or machine.vcpus == int(said[1])


@each_machine
def test_local_ssds_fit_their_mode(machine: catalog.Machine) -> None:
    ssd = machine.local_ssd
    assert ssd.disk_gib in {375, 3000}
    if ssd.mode == "bundled":
        assert ssd.count == ssd.max_count > 0
    elif ssd.mode == "optional":
        assert ssd.count == 0 < ssd.max_count
    else:
        assert ssd.count == ssd.max_count == 0
    if machine.name.endswith("-nolssd"):
        assert ssd.mode == "none"


@pytest.mark.parametrize(
    ("name", "count"),
    [(f"a2-ultragpu-{gpus}g", gpus) for gpus in (1, 2, 4, 8)]
    + [(f"a3-highgpu-{gpus}g", 2 * gpus) for gpus in (1, 2, 4, 8)]
    + [("a3-megagpu-8g", 16), ("a3-ultragpu-8g", 32), ("a4-highgpu-8g", 32), ("a4x-highgpu-4g", 4)],
)
def test_bundled_local_ssds(name: str, count: int) -> None:
    assert known(name).local_ssd.mode == "bundled"
    assert known(name).local_ssd.count == count


@each_machine
def test_network_layout_is_whole(machine: catalog.Machine) -> None:
    layout = machine.network
    rdma = layout.gpudirect == "RDMA-RoCE"
    assert bool(layout.rdma_vpcs) == bool(layout.rdma_nics) == bool(layout.rdma_profile) == rdma
    assert ("MRDMA" in layout.nic_types) == rdma
    # the profile of bare-metal machines makes its subnet by itself
    assert layout.rdma_subnets == (0 if layout.rdma_profile == "vpc-roce-metal" else layout.rdma_nics)
    assert (layout.mtu is None) == (layout.gpudirect == "none")
    assert layout.mtu is None or 1300 <= layout.mtu <= 8896
    assert catalog.network_layout(layout.key) == layout


def test_h4d_has_one_interface_for_rdma_without_gpus() -> None:
    machine = known("h4d-highmem-192-lssd")
    layout = machine.network
    assert (layout.gpudirect, layout.fabric, layout.rdma_nic) == ("none", "Falcon", "IRDMA")
    assert (layout.nics, layout.rdma_vpcs, layout.rdma_subnets, layout.extra_vpcs) == (2, 1, 1, 0)
    assert (layout.mtu, layout.rdma_profile) == (8896, "vpc-falcon")
    assert (machine.live_migration, machine.boot_disk_types) == (False, ("hyperdisk-balanced",))
    assert (machine.local_ssd.count, known("h4d-standard-192").local_ssd.count) == (10, 0)


@each_machine
def test_gpudirect_networks_follow_the_gpus(machine: catalog.Machine) -> None:
    layout = machine.network
    per_gpu = {"none": 0, "TCPX": 0.5, "TCPXO": 1, "RDMA-RoCE": 1}[layout.gpudirect]
    gpu_nics = layout.rdma_nics if layout.rdma_vpcs else layout.extra_vpcs
    if layout.gpudirect != "none" and machine.series != "a4x-max":  # two interfaces for each GB300
        assert gpu_nics == machine.gpus * per_gpu


@each_machine
def test_boot_disks_are_disks_that_boot(machine: catalog.Machine) -> None:
    assert machine.boot_disk_types
    for name in machine.boot_disk_types:
        disk = catalog.disk_type(name)
        assert disk is not None
        assert disk.boot


def test_hyperdisk_is_the_only_choice_where_persistent_disk_is_refused() -> None:
    for machine in MACHINES:
        if machine.series in {"a3-ultra", "a4", "a4x", "a4x-max", "g4"}:
            assert machine.boot_disk_types == ("hyperdisk-balanced",), machine.name
    for gpus in (1, 2, 4):
        assert "hyperdisk-balanced" not in known(f"a3-highgpu-{gpus}g").boot_disk_types


@each_machine
def test_capacity_says_something_about_every_model(machine: catalog.Machine) -> None:
    assert set(machine.capacity) == set(catalog.CAPACITY_MODELS)
    assert True in machine.capacity.values()


@each_machine
def test_workload_policies_go_with_models_that_are_sold(machine: catalog.Machine) -> None:
    policy = machine.workload_policy
    if policy:
        assert all(machine.capacity[model] for model in policy.models)
        assert bool(policy.accelerator_topology) == policy.required
    if policy and policy.accelerator_topology:
        gpus = math.prod(map(int, policy.accelerator_topology.split("x")))
        assert machine.max_group_size == gpus / machine.gpus


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


# Places

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


def test_machines_of_aws() -> None:
    found = catalog.foreign_machine("p5.48xlarge")
    assert found == catalog.ForeignMachine("AWS", "H100", 80, 8)
    assert catalog.foreign_machine("m5.large") == ("AWS", "", 0, 0)
    assert catalog.foreign_machine("g4dn.metal") == ("AWS", "T4", 16, 8)
    assert catalog.foreign_machine("p5.3xlarge") == ("AWS", "H100", 80, 0), "a size that is not listed"
    assert catalog.foreign_machine("a3-highgpu-8g") is None
    assert catalog.foreign_machine("example.com") is None


def test_what_is_not_built_says_why() -> None:
    assert "IDPF" in known("a4x-maxgpu-4g-metal").supported_on_vm
    assert [machine.name for machine in MACHINES if machine.supported_on_vm] == ["a4x-maxgpu-4g-metal"]


def test_variants_without_local_ssd() -> None:
    names = {machine.name for machine in MACHINES if machine.name.endswith("-nolssd")}
    assert {known(name).series for name in names} == {"a3-edge", "a3-ultra", "a4", "a4x"}
    assert not known("a4-highgpu-8g-nolssd").is_certain("name")
    assert known("a4-highgpu-8g").is_certain("name")
    assert known("a3-ultragpu-8g-nolssd").is_certain("name")


# Look-ups


@pytest.mark.parametrize("name", ["", "a3", "a3-ultragpu-4g", "A3-ULTRAGPU-8G", "a2-highgpu-8g-nolssd", "-"])
def test_unknown_machine(name: str) -> None:
    assert catalog.machine(name) is None


def test_machine_names_are_unique_and_all_found() -> None:
    names = catalog.machine_names()
    assert len(names) == len(set(names))
    assert all(known(name).name == name for name in names)


def test_accelerator_prefixes() -> None:
    assert all(catalog.is_accelerator_prefix(machine.name) for machine in MACHINES)
    assert all(catalog.is_accelerator_prefix(name) for tpu in catalog.tpu_types() for name in tpu.machines)
    assert not any(map(catalog.is_accelerator_prefix, cpu_families.cpu_names()))
    assert not catalog.is_accelerator_prefix("custom-8-30720")


def test_zones_of_machines_gpus_and_tpus() -> None:
    assert "us-central1-f" in (catalog.zones_of("a2-highgpu-2g") or ())
    assert "us-central1-a" in (catalog.zones_of("nvidia-tesla-t4") or ())
    assert catalog.zones_of("v4") == ("us-central2-b",)
    assert catalog.zones_of("a4x-highgpu-4g") is None
    assert catalog.zones_of("nonsense") is None


# Machines without GPUs


@pytest.mark.parametrize(
    ("name", "series", "vcpus", "memory_gb"),
    [
        ("n1-standard-8", "n1", 8, 30),
        ("n1-highcpu-96", "n1", 96, 86.4),
        ("n2-highmem-128", "n2", 128, 864),
        ("e2-medium", "e2", 2, 4),
        ("c4-standard-2", "c4", 2, 7),
        ("g1-small", "n1", 1, 1.7),
        ("custom-8-30720", "n1", 8, 30),
        ("n1-custom-8-30720", "n1", 8, 30),
        ("n1-custom-1-3840", "n1", 1, 3.75),
        ("n2-custom-4-131072-ext", "n2", 4, 128),
        ("e2-custom-4-8192", "e2", 4, 8),
    ],
)
def test_general_purpose_machine(name: str, series: str, vcpus: int, memory_gb: float) -> None:
    machine = known(name)
    assert (machine.series, machine.vcpus, machine.memory_gb) == (series, vcpus, memory_gb)
    assert (machine.gpus, machine.gpu, machine.gpu_memory_gb) == (0, None, 0)
    assert machine.network.nics == 1


@pytest.mark.parametrize(
    "name",
    [
        "n1-standard-3",
        "n1-standard-08",
        "n1-standard-+8",
        "n1-standard-1_6",
        "n1-standard-٨",
        "n1-standard-8-ext",
        "n1-custom-3-8192",  # odd number of vCPUs
        "n1-custom-8-30721",  # not a multiple of 256 MB
        "n1-custom-8-1024",  # too little memory
        "n1-custom-8-65536",  # too much memory without -ext
        "n1-custom-98-98304",
        "n1-custom-8-",
        "n1-custom-8-" + "9" * 5000,
        "c2-custom-8-30720",
        "q7-standard-8",
    ],
)
def test_no_such_general_purpose_machine(name: str) -> None:
    assert catalog.machine(name) is None


def test_shared_core_machines_are_marked() -> None:
    shared = {name for name in catalog.machine_names() if known(name).shared_core}
    assert shared == {"e2-micro", "e2-small", "e2-medium", "f1-micro", "g1-small"}


def test_general_purpose_machines_boot_from_disks_that_boot() -> None:
    for name in cpu_families.cpu_names():
        disks = [catalog.disk_type(disk) for disk in known(name).boot_disk_types]
        assert disks, name
        assert all(disk and disk.boot for disk in disks), name


def test_memory_grows_with_the_vcpus() -> None:
    for key, family in cpu_families.cpu_table().families.items():
        for shape, sizes in family.sizes.items():
            assert list(sizes) == sorted(sizes), (key, shape)
            assert list(sizes.values()) == sorted(sizes.values()), (key, shape)


def test_threads_per_core() -> None:
    assert known("a3-ultragpu-8g").threads_per_core_selectable
    for name in ("t2a-standard-8", "a4x-highgpu-4g", "n1-standard-1", "e2-medium"):
        assert not known(name).threads_per_core_selectable, name


def test_arm_machines() -> None:
    series = {known(name).series for name in catalog.machine_names() if known(name).architecture == "arm64"}
    assert series == {"a4x", "a4x-max", "c4a", "t2a"}


# GPUs to attach


def test_attachable_gpus() -> None:
    types = {gpu.accelerator_type for gpu in catalog.attachable_gpus()}
    assert types == {"nvidia-tesla-t4", "nvidia-tesla-p4", "nvidia-tesla-v100", "nvidia-tesla-p100"}
    assert catalog.attachable_gpu("nvidia-l4") is None
    assert catalog.attachable_gpu("nvidia-tesla-t5") is None


def test_more_gpus_allow_at_least_as_large_a_machine() -> None:
    for gpu in catalog.attachable_gpus():
        counts = list(gpu.attach)
        assert counts == sorted(counts)
        assert all(count & (count - 1) == 0 for count in counts), "a power of two"
        limits = list(gpu.attach.values())
        for fewer, more in pairwise(limits):
            assert fewer.vcpus[1] <= more.vcpus[1]
            assert fewer.memory_gb[1] <= more.memory_gb[1]
        for limit in limits:
            # N1 has at most 6.5 GB for each vCPU
            assert limit.memory_gb[1] == 6.5 * limit.vcpus[1]


# Placement, images, disks, prices


def test_placement() -> None:
    facts = catalog.placement()
    assert facts.most_vms("a2", "2") == 150
    assert facts.most_vms("a3-mega", "2") == 256
    assert facts.most_vms("a3-mega") == facts.most_vms("a2", "3") == 1500
    series = {known(name).series for name in catalog.machine_names()}
    assert set(facts.flex_start_with_compact) <= series


@pytest.mark.parametrize("architecture", ["amd64", "arm64"])
@pytest.mark.parametrize("gpu", [True, False])
def test_default_image(architecture: Any, gpu: bool) -> None:
    image = catalog.default_image(architecture=architecture, gpu=gpu)
    assert image.architecture == architecture
    assert architecture in image.family
    assert bool(image.gpu_driver) == ("nvidia" in image.family) == gpu
    assert image.gpu_driver in image.family


def test_disk_types() -> None:
    for name in catalog.disk_types():
        disk = catalog.disk_type(name)
        assert disk is not None
        assert 0 < disk.min_gb < disk.max_gb
    assert catalog.disk_type("pd-fast") is None


# TPUs


@pytest.mark.parametrize(
    ("tpu", "topology", "machine", "nodes"),
    [
        ("v4", "2x2x1", "ct4p-hightpu-4t", 1),
        ("v4", "8x4x4", "ct4p-hightpu-4t", 32),
        ("v4", "8x16x16", "ct4p-hightpu-4t", 512),
        ("v4", "16x16x20", "ct4p-hightpu-4t", None),  # 80 cubes
        ("v5e", "1x1", "ct5lp-hightpu-1t", 1),
        ("v5e", "2x4", "ct5lp-hightpu-8t", 1),
        ("v5e", "2x4", "ct5lp-hightpu-4t", 2),
        ("v5e", "16x16", "ct5lp-hightpu-4t", 64),
        ("v5e", "4x4", "ct5lp-hightpu-8t", None),  # alone or not at all
        ("v5e", "2x2", "ct5lp-hightpu-8t", None),
        ("v5e", "3x3", "ct5lp-hightpu-4t", None),
        ("v5p", "2x2x2", "ct5p-hightpu-4t", 2),
        ("v5p", "4x4x244", "ct5p-hightpu-4t", 976),
        ("v5p", "16x20x28", "ct5p-hightpu-4t", 2240),
        ("v5p", "8x4x4", "ct5p-hightpu-4t", None),  # edges descend
        ("v5p", "4x4x6", "ct5p-hightpu-4t", None),
        ("v5p", "4x4", "ct5p-hightpu-4t", None),
        ("v5p", "2x2x1", "ct6e-standard-4t", None),
        ("v6e", "8x16", "ct6e-standard-4t", 32),
        ("v6e", "02x2", "ct6e-standard-4t", None),
        ("tpu7x", "1x1x1", "tpu7x-standard-1t", 1),
        ("tpu7x", "1x1x1", "tpu7x-standard-4t", None),
        ("tpu7x", "16x24x24", "tpu7x-standard-4t", 2304),
        ("tpu7x", "0x4x4", "tpu7x-standard-4t", None),
        ("tpu7x", "", "tpu7x-standard-4t", None),
        ("tpu7x", "4x4x", "tpu7x-standard-4t", None),
    ],
)
def test_nodes_of_a_slice(tpu: str, topology: str, machine: str, nodes: int | None) -> None:
    found = catalog.tpu_type(tpu)
    assert found is not None
    assert found.node_count(topology, machine) == nodes


def test_largest_slices_are_what_the_chips_allow() -> None:
    for tpu in catalog.tpu_types():
        if tpu.max_cubes:
            assert tpu.max_chips == tpu.max_cubes * 4**3
        else:
            shapes = [math.prod(map(int, shape.split("x"))) for shape in tpu.small_shapes]
            assert tpu.max_chips == max(shapes)


def test_small_shapes_divide_into_machines() -> None:
    for tpu in catalog.tpu_types():
        for shape in tpu.small_shapes:
            assert shape.count("x") == tpu.dimensions - 1
            assert any(tpu.node_count(shape, machine) for machine in tpu.machines), (tpu.name, shape)


def test_chips_are_what_the_name_of_the_machine_says() -> None:
    for tpu in catalog.tpu_types():
        for name, machine in tpu.machines.items():
            assert name.endswith(f"-{machine.chips}t")
            assert catalog.tpu_type_of(name) == tpu


def test_tpu_types_are_found_by_other_names() -> None:
    assert catalog.tpu_type("trillium") == catalog.tpu_type("v6e")
    assert catalog.tpu_type("ironwood") == catalog.tpu_type("tpu7x")
    assert catalog.tpu_type("v9") is None


# Azure


def test_azure_size() -> None:
    size = catalog.azure_size("Standard_ND96isr_H200_v5")
    assert size is not None
    assert (size.gpus * size.gpu_memory_gb, size.ib_hcas, size.nvme_disks) == (1128, 8, 8)
    assert catalog.azure_size("Standard_ND96") is None


def test_azure_names_say_vcpus_gpus_and_memory() -> None:
    for size in catalog.azure_sizes():
        vcpus = re.match(r"Standard_(?:N[CD]|H[BCX])(\d+)", size.name)
        assert vcpus
        assert size.vcpus == int(vcpus[1])
        assert size.gpu_model.endswith(f"{size.gpu_memory_gb:g}GB" if size.gpus else "")
        assert bool(size.gpus) == size.name.startswith("Standard_N") == bool(size.gpu_model)
        assert bool(size.ib_hcas) == bool(size.ib_gbps) == catalog.says_rdma(size.name)
        assert all(image.count(":") == 3 for image in size.images)
        assert any("-rocm" in image for image in size.images) == ("MI300X" in size.name)


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("Standard_HB120rs_v2", (120, 456, 1, 200, 1)),
        ("Standard_HB120rs_v3", (120, 448, 1, 200, 2)),
        ("Standard_HB120-16rs_v3", (16, 448, 1, 200, 2)),
        ("Standard_HB176rs_v4", (176, 768, 1, 400, 2)),
        ("Standard_HB368rs_v5", (368, 432, 4, 800, 8)),
        ("Standard_HC44rs", (44, 352, 1, 100, 0)),
        ("Standard_HC44-32rs", (32, 352, 1, 100, 0)),
        ("Standard_HX176-24rs", (24, 1408, 1, 400, 2)),
    ],
)
def test_sizes_for_hpc(name: str, facts: tuple[int, ...]) -> None:
    """Processors, memory, InfiniBand interfaces, Gb/s of each and local NVMe disks."""
    size = catalog.azure_size(name)
    assert size is not None
    assert (size.name, size.gpus) == (name, 0)
    assert (size.vcpus, size.memory_gb, size.ib_hcas, size.ib_gbps, size.nvme_disks) == facts


@pytest.mark.parametrize(
    "name", ["Standard_HB120-17rs_v3", "Standard_ND96-48isr_H200_v5", "Standard_HB120-16s_v3"]
)
def test_a_form_of_a_size_that_there_is_not(name: str) -> None:
    assert catalog.azure_size(name) is None


def test_gb300() -> None:
    size = catalog.azure_size("Standard_ND128isr_GB300_v6")
    assert size is not None
    assert (size.gpus * size.gpu_memory_gb, size.ib_hcas, size.ib_gbps, size.architecture) == (
        1152,
        4,
        800,
        "arm64",
    )


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Standard_ND96isr_H200_v5", True),
        ("Standard_ND40rs_v2", True),
        ("Standard_NC24r", True),
        ("Standard_HB999-48rs_v9", True),
        ("Standard_ND128isrG5_GB300_v6", True),
        ("Standard_NC24ads_A100_v4", False),
        ("Standard_D4s_v5", False),
        ("Standard_DS2_v2", False),
        ("Standard_NG32ads_V620_v1", False),
        ("standard", False),
    ],
)
def test_a_small_r_means_infiniband(name: str, *, says: bool) -> None:
    assert catalog.says_rdma(name) is says


# Loading


def test_import_reads_no_table() -> None:
    script = """
import pathlib
def refuse(path):
    raise AssertionError(path)
pathlib.Path.read_bytes = refuse
from clusterprint import catalog
from clusterprint.derived import node_pools
try:
    catalog.machine("a3-ultragpu-8g")
except AssertionError:
    print("read late")
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "read late\n"


def test_a_misspelt_field_in_a_table_is_refused() -> None:
    entry = b'{"x": {"min_gb": 1, "max_gb": 2, "boot": true, "bot": 1, "sources": [], "date": "2026-01-01"}}'
    with pytest.raises(msgspec.ValidationError, match="bot"):
        msgspec.json.decode(entry, type=dict[str, catalog.DiskType])


def test_nccl_settings_are_known_for_every_azure_size() -> None:
    for size in (each for each in catalog.azure_sizes() if each.gpus):
        settings = catalog.nccl(size.name)
        assert settings is not None, size.name
        # Bandwidth between nodes is judged where there is InfiniBand, by what it carries.
        assert settings.multi_node_gb_per_s <= 0.8 * size.ib_hcas * size.ib_gbps / 8 or not size.ib_hcas
        assert size.ib_hcas or not settings.multi_node_gb_per_s
    assert catalog.nccl("Standard_D4s_v5") is None


@pytest.mark.parametrize(
    ("machine_type", "disks"),
    [
        ("a4-highgpu-8g", ("hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-ml")),
        ("n1-standard-8", ()),
        (
            "tpu7x-standard-4t",
            ("hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-ml", "hyperdisk-throughput"),
        ),
        ("c3-standard-8", None),
    ],
)
def test_a_series_attaches_the_disks_of_the_driver_s_list(machine_type: str, disks: object) -> None:
    assert catalog.attachable_hyperdisks(machine_type) == disks


def test_only_disk_types_that_there_are_are_attached() -> None:
    series = json.loads((FOLDER / "google" / "disk_series.json").read_bytes())["series"]
    assert {each for found in series.values() for each in found} < {*catalog.disk_types()}
