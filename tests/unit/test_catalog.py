"""The facts of the catalog agree with each other, and the look-ups find them."""

import json
import math
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from catalog_tables import FOLDER, MACHINES, each_machine, known
from every import every

from clusterprint import catalog
from clusterprint.catalog import cpu_families

TABLES = sorted(path for path in FOLDER.rglob("*.json") if path.name != "sources.json")


def entries(value: Any, where: str = "") -> list[tuple[str, dict[str, Any]]]:
    """All entries below a JSON value: the objects that state their sources."""
    if not isinstance(value, dict):
        return []
    here = [(where, value)] if "sources" in value else []
    return here + [entry for key, inner in value.items() for entry in entries(inner, f"{where}/{key}")]


ENTRIES = [
    (f"{path.relative_to(FOLDER).with_suffix('')}{where}", entry)
    for path in TABLES
    for where, entry in entries(json.loads(path.read_bytes()))
]


# Every entry


def test_there_are_entries_in_every_table() -> None:
    tables = {where.split("/", 2)[1] for where, _ in ENTRIES}
    assert tables >= {path.stem for path in TABLES}


@every(ENTRIES, lambda entry: entry[0])
def test_entry_says_where_it_comes_from_and_when_it_was_checked(named: tuple[str, dict[str, Any]]) -> None:
    _, entry = named
    assert entry["sources"]
    for key in entry["sources"]:
        assert catalog.source(key) or is_address(key), f"{key} is neither in sources.json nor an address"
    assert date.fromisoformat(entry["date"]) >= date(2026, 1, 1)


def is_address(source: str) -> bool:
    """Whether an entry has a source of its own, which is not listed among those that several share."""
    return re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]+/\S*", source) is not None


def test_every_source_is_used() -> None:
    used = {key.partition(" ")[0] for _, entry in ENTRIES for key in entry["sources"] if not is_address(key)}
    listed = set(json.loads((FOLDER / "sources.json").read_bytes()))
    assert listed == used


@every(["https://kyverno.io/docs/installation/", "https://example.com/a/b.yaml#c"])
def test_an_address_is_a_source_by_itself(text: str) -> None:
    assert is_address(text)
    assert catalog.source(text) is None


@every(["kyverno", "http://kyverno.io/", "https://kyverno.io/ docs", "https:/kyverno.io/", "https://"])
def test_what_is_no_address_has_to_be_listed(text: str) -> None:
    assert not is_address(text)


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

STATED: dict[str, dict[str, int]] = {
    size["name"]: size["stated"]
    for family in json.loads((FOLDER / "google/machines.json").read_bytes()).values()
    for size in family["sizes"]
}


@each_machine
def test_totals_of_a_machine_are_those_that_its_documentation_states(machine: catalog.Machine) -> None:
    """Per GPU, per disk and per network here; stated for the whole machine there."""
    stated = STATED[machine.name.removesuffix("-nolssd")]
    assert machine.gpu_memory_gb == stated["gpu_memory_gb"]
    assert machine.local_ssd.total_gib == (0 if machine.name.endswith("-nolssd") else stated["local_ssd_gib"])
    assert machine.network.nics == stated["nics"]


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


@pytest.mark.parametrize(
    ("name", "gib", "iops", "sold_iops", "sold_mibps"),
    [
        # 500 IOPS per GiB at most, 3,000 at least where that is as many; 1/256 to 1/4 MiB/s per IOPS
        ("hyperdisk-balanced", 4, 0, (2000, 2000), (140, 500)),
        ("hyperdisk-balanced", 6, 0, (3000, 3000), (140, 750)),
        ("hyperdisk-balanced", 100, 0, (3000, 50_000), (140, 2400)),
        ("hyperdisk-balanced", 100, 3000, (3000, 50_000), (140, 750)),
        ("hyperdisk-balanced", 1000, 160_000, (3000, 160_000), (625, 2400)),
        ("hyperdisk-balanced", 0, 0, (2000, 160_000), (140, 2400)),
        # 2 to 1,200 IOPS per GiB
        ("hyperdisk-extreme", 64, 0, (128, 76_800), (0, 0)),
        ("hyperdisk-extreme", 292, 0, (584, 350_000), (0, 0)),
        # 10 to 90 MiB/s per TiB
        ("hyperdisk-throughput", 2048, 0, (0, 0), (20, 180)),
        ("hyperdisk-throughput", 32_768, 0, (0, 0), (320, 2400)),
        # 0.12 to 1,600 MiB/s per GiB
        ("hyperdisk-ml", 4, 0, (0, 0), (400, 6400)),
        ("hyperdisk-ml", 65_536, 0, (0, 0), (7865, 1_200_000)),
        ("pd-ssd", 100, 0, (0, 0), (0, 0)),
    ],
)
def test_what_is_sold_for_a_disk_follows_from_its_size(
    name: str, gib: int, iops: int, sold_iops: tuple[int, int], sold_mibps: tuple[int, int]
) -> None:
    disk = catalog.disk_type(name)
    assert disk
    assert (disk.iops_of(gib), disk.mibps_of(gib, iops)) == (sold_iops, sold_mibps)


@pytest.mark.parametrize(
    ("gib", "mibps", "iops"),
    [
        (100, 110, 3100),
        (500, 150, 3500),
        (1024, 203, 4024),
        (33_792, 3480, 36_792),
        (102_400, 10_340, 102_400),
    ],
)
def test_shares_give_what_the_table_of_azure_says(gib: int, mibps: int, iops: int) -> None:
    files = catalog.azure_files("Premium", "LRS")
    assert files
    mbps = mibps * (1 << 20) // 1_000_000
    assert files.speed(gib) == (mbps, mbps, iops, iops)


# Loading


@pytest.mark.process
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
