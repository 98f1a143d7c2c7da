"""Sizes of Azure in the catalog."""

import re

import pytest

from clusterprint import catalog


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


def test_nccl_settings_are_known_for_every_azure_size() -> None:
    for size in (each for each in catalog.azure_sizes() if each.gpus):
        settings = catalog.nccl(size.name)
        assert settings is not None, size.name
        # Bandwidth between nodes is judged where there is InfiniBand, by what it carries.
        assert settings.multi_node_gb_per_s <= 0.8 * size.ib_hcas * size.ib_gbps / 8 or not size.ib_hcas
        assert size.ib_hcas or not settings.multi_node_gb_per_s
    assert catalog.nccl("Standard_D4s_v5") is None
