"""`clusterprint machines` as its users see it."""

import json

import pytest
from click.testing import CliRunner, Result
from every import every

from clusterprint import catalog
from clusterprint.cli.machines import machines


def run(*arguments: str) -> Result:
    return CliRunner().invoke(machines, list(arguments))


def test_list_fits_a_terminal_and_names_every_machine() -> None:
    result = run()
    assert result.exit_code == 0
    lines = result.output.splitlines()
    names = [line.split()[0] for line in lines[1 : lines.index("")]]
    assert names == [machine.name for machine in catalog.machines()]
    assert max(map(len, lines)) <= 110


def test_list_is_aligned() -> None:
    lines = run().output.splitlines()
    table = lines[: lines.index("")]
    for title in ("GPUS", "GPUDIRECT", "LOCAL SSD", "SOLD"):
        column = table[0].index(title)
        assert all(line[column - 1] == " " != line[column] for line in table[1:]), title


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("a3-ultragpu-8g", "8 H200 1128 2952 10 RDMA-RoCE 32x375 -SFR 9 84.8/41.0"),
        ("a3-megagpu-8g", "8 H100 Mega 640 1872 9 TCPXO 16x375 ?SFR 21 92.2/28.2"),
        ("a4x-highgpu-4g-nolssd", "4 GB200 744 884 6 RDMA-RoCE - ---R ? -"),
        ("g4-standard-6", "1/8 RTX PRO 6000 12 22 1 - - DS?R ? -"),
    ],
)
def test_row(name: str, cells: str) -> None:
    rows = [line.split() for line in run().output.splitlines()]
    assert [name, *cells.split()] in rows


def test_one_machine_in_full() -> None:
    result = run("a3-ultragpu-8g")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    text = " ".join(result.output.split())
    assert max(map(len, lines)) <= 100
    assert lines[0] == "a3-ultragpu-8g"
    for part in (
        "8 x H200 141GB (nvidia-h200-141gb)",
        "32 x 375 GiB, always there",
        "10 NICs, GVNIC and MRDMA, GPUDirect RDMA-RoCE",
        "profile ZONE-vpc-roce",
        "on_demand: no, spot: yes, flex_start: yes, reservation: yes",
        "zones (9) asia-south1-b, asia-south2-c",
        "google-gpu-machine-types: Google Cloud: GPU machine types",
        "checked 2026-11-20",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Standard_ND96isr_H200_v5", "8 H200 1128 1850 8x400 8 2204 84.8/-"),
        ("Standard_ND96isr_MI300X_v5", "8 MI300X 1536 1850 8x400 8 2204-rocm 48.0/8.87"),
        ("Standard_NC24ads_A100_v4", "1 A100 80 220 - - 2204 3.67/-"),
        ("Standard_ND128isr_NDR_GB200_v6", "4 GB200 768 900 4x400 4 - 108.2/-"),
    ],
)
def test_row_of_azure(name: str, cells: str) -> None:
    rows = [line.split() for line in run().output.splitlines()]
    assert [name, *cells.split()] in rows


def test_one_size_of_azure_in_full() -> None:
    text = " ".join(run("Standard_ND96isr_H200_v5").output.split())
    for part in (
        "8 x H200 141GB",
        "8 x 400 Gb/s",
        "8 NVMe, 1024 GiB temporary",
        "microsoft-dsvm:ubuntu-hpc:2204:latest, microsoft-dsvm:ubuntu-hpc:2404:latest",
        "MicrosoftDocs/azure-compute-docs",
    ):
        assert part in text
    assert json.loads(run("Standard_ND96isr_H200_v5", "--format", "json").output)["ib_hcas"] == 8


def test_a_size_in_wrong_letters_gets_the_right_suggestion() -> None:
    assert "did you mean Standard_ND96isr_H200_v5" in run("standard_nd96isr_h200_v5").output


@every(
    [
        *catalog.machine_names(),
        *(name for tpu in catalog.tpu_types() for name in tpu.machines),
        *(size.name for size in catalog.azure_sizes()),
    ],
)
def test_every_machine_can_be_shown(name: str) -> None:
    result = run(name)
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 100
    assert "None" not in result.output


def test_machine_that_cannot_be_built_says_why() -> None:
    assert "IDPF" in run("a4x-maxgpu-4g-metal").output


def test_json_list() -> None:
    result = run("--format", "json")
    found = json.loads(result.output)
    tpus = [name for tpu in catalog.tpu_types() for name in tpu.machines]
    machines = [machine.name for machine in catalog.machines()]
    sizes = [size.name for size in catalog.azure_sizes()]
    assert [machine["name"] for machine in found] == [*machines, *tpus, *sizes]
    assert run("--format", "json").output == result.output


def test_json_of_one_machine() -> None:
    found = json.loads(run("a2-highgpu-8g", "--format", "json").output)
    assert found["gpus"] == 8
    assert found["gpu_memory_gb"] == 320
    assert found["network"]["nics"] == 1
    assert found["capacity"]["flex_start"] is True
    assert found["prices"]["spot"]["usd"] == 14.4308
    assert "us-central1-f" in found["zones"]
    assert list(found)[-1] == "date"


def test_json_of_one_azure_size() -> None:
    found = json.loads(run("Standard_ND96isr_H100_v5", "--format", "json").output)
    assert (found["prices"]["spot"]["usd"], found["prices"]["spot"]["region"]) == (18.169536, "eastus")
    assert found["prices"]["flex_start"] is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "a3-highgpu-8g",
            "on_demand 88.49 USD per hour in us-central1, noted 2026-11-22 from karpenter-gcp-prices (2026)",
        ),
        ("a3-highgpu-8g", "flex_start 38.32 USD per hour in us-central1, noted 2026-11-22 from google-flex-"),
        ("n2-standard-8", "spot 0.11 USD per hour in us-central1"),
        ("Standard_ND96isr_H100_v5", "on_demand 98.32 USD per hour in eastus"),
    ],
)
def test_list_prices_say_where_and_when_they_were_seen(name: str, told: str) -> None:
    assert told in " ".join(run(name).output.split())


def test_what_has_no_list_price_shows_none() -> None:
    assert "price" not in run("a4x-highgpu-4g").output


def test_unknown_name_gets_suggestions() -> None:
    result = run("a3-ultragpu-4g")
    assert result.exit_code == 2
    assert "no machine type 'a3-ultragpu-4g'; did you mean a3-ultragpu-8g" in result.output


def test_capitals_get_the_right_suggestion() -> None:
    assert "did you mean a3-ultragpu-8g" in run("A3-ULTRAGPU-8G").output


def test_name_like_nothing_else() -> None:
    result = run("zzz")
    assert result.exit_code == 2
    assert "lists those with accelerators" in result.output


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("ct5lp-hightpu-8t", "v5e 8 224 384 2x4 1 DSF? ? 9.60/1.92"),
        ("ct5p-hightpu-4t", "v5p 4 208 448 2x2x1 to 8960 chips 1-2240 DSF? 11 16.8/6.72"),
        ("ct5p-hightpu-2t", "v5p 2 ? ? ? ? DSF? 11 8.40/3.36"),
        ("ct6e-standard-4t", "v6e 4 180 720 2x2 to 16x16 1-64 DSFR 18 10.8/2.18"),
        ("tpu7x-standard-4t", "tpu7x 4 224 960 2x2x1 to 9216 chips 1-2304 ??FR ? 48.0/-"),
    ],
)
def test_row_of_tpus(name: str, cells: str) -> None:
    rows = [line.split() for line in run().output.splitlines()]
    assert [name, *cells.split()] in rows


def test_one_machine_with_tpus_in_full() -> None:
    result = run("ct6e-standard-4t")
    assert result.exit_code == 0
    text = " ".join(result.output.split())
    for part in (
        "TPU v6e or trillium",
        "chips 4 per host",
        "2x2 (1 host, 4 chips), 2x4 (2 hosts, 8 chips)",
        "16x16 (64 hosts, 256 chips)",
        "cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice",
        "on_demand: yes, spot: yes, flex_start: yes, reservation: yes",
        "flex-start announced in asia-northeast1-b, us-east5-a, us-east5-b",
        "on_demand 10.80 USD per hour in us-central1, noted 2026-11-22",
        "zones (18) asia-northeast1-b",
        "google-flex-start: Google Cloud: about flex-start in GKE",
        "checked 2026-11-20",
    ):
        assert part in text
    assert "larger slices" not in text, "v6e slices are those that are listed"


def test_larger_slices_are_told_where_there_are_any() -> None:
    text = " ".join(run("ct5p-hightpu-4t").output.split())
    assert "edges that are multiples of 4, in ascending order, with at most 8960 chips" in text
    assert "larger slices" not in run("tpu7x-standard-1t").output


def test_json_of_one_machine_with_tpus() -> None:
    found = json.loads(run("ct6e-standard-4t", "--format", "json").output)
    assert found["chips"] == 4
    assert found["slices"]["4x8"] == 8
    assert found["prices"]["on_demand"]["usd"] == 4 * 2.7


@pytest.mark.parametrize("name", ["v6e", "tpu-v6e", "trillium"])
def test_a_tpu_type_gets_its_machines(name: str) -> None:
    result = run(name)
    assert result.exit_code == 2
    assert "did you mean ct6e-standard-1t, ct6e-standard-4t or ct6e-standard-8t (TPU v6e)?" in result.output


def test_unknown_format_is_wrong_usage() -> None:
    assert run("--format", "yaml").exit_code == 2
