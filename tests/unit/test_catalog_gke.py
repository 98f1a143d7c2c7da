"""Facts about GKE: limits, versions, reserved names, and how GPUs are divided."""

import re

import pytest

from clusterprint import catalog
from clusterprint.catalog import GkeVersion

NEWEST = 10**9


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1.33", (33, NEWEST, NEWEST)),
        ("1.33.4", (33, 4, NEWEST)),
        ("1.33.4-gke.1036000", (33, 4, 1036000)),
        ("1.33.", None),
        ("1.33.4-gke", None),
        ("2.1", None),
        ("latest", None),
        ("", None),
    ],
)
def test_versions_are_read(text: str, version: tuple[int, int, int] | None) -> None:
    found = catalog.gke_version(text)
    assert (tuple(found) if found else None) == version


def version(text: str) -> GkeVersion:
    found = catalog.gke_version(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("feature", "has", "lacks"),
    [
        ("flex-start-gpu", "1.32.2-gke.1652000", "1.32.2-gke.1651999"),
        ("flex-start-gpu", "1.32", "1.31.99"),
        ("flex-start-tpu", "1.34", "1.32"),
        ("tcpx", "1.28.15-gke.3163000", "1.28.14-gke.9999999"),
        ("tcpx", "1.30.0-gke.1", "1.26"),
        ("tcpxo", "1.33.0-gke.1", "1.32.11-gke.1173999"),
        ("tcpxo", "1.31.15-gke.1", "1.31.1-gke.2008000"),
    ],
)
def test_features_come_with_a_version(feature: str, has: str, lacks: str) -> None:
    found = catalog.gke_feature(feature)
    assert found.is_in(version(has))
    assert not found.is_in(version(lacks))


def test_the_way_to_a_feature_is_the_next_version_that_has_it() -> None:
    tcpxo = catalog.gke_feature("tcpxo")
    assert tcpxo.first_after(version("1.30.1-gke.5")) == "1.30.14-gke.1922000"
    assert tcpxo.first_after(version("1.12")) == "1.28.15-gke.3163000"
    for feature in catalog.gke_features():
        for minor in range(20, 40):
            at = version(f"1.{minor}.0-gke.1")
            if not feature.is_in(at):
                assert feature.is_in(version(feature.first_after(at)))


def test_every_feature_names_one_version_per_minor_version_in_order() -> None:
    for feature in catalog.gke_features():
        parsed = [version(each) for each in feature.since]
        assert parsed == sorted(parsed)
        assert len({each.minor for each in parsed}) == len(parsed)
        assert all(each.build < NEWEST for each in parsed)


def test_an_unknown_feature_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        catalog.gke_feature("nonsense")


def test_limits_are_in_order() -> None:
    limits = catalog.gke_limits()
    assert limits.pods_per_node[0] < limits.pods_per_node[1]
    assert 1 < limits.clients_per_gpu[0] < limits.clients_per_gpu[1]
    assert limits.nodes_of_zonal_cluster < limits.nodes_without_quota < limits.nodes_per_cluster


def test_reserved_keys_are_label_keys() -> None:
    keys = catalog.reserved_keys()
    assert all(prefix.endswith("/") for prefix in keys.prefixes)
    for key in (*keys.labels, *keys.taints):
        assert re.fullmatch(r"[a-z.]+/[-a-z0-9]+", key)
        assert not key.startswith(keys.prefixes)


# How GPUs are divided


DIVIDED = sorted(
    {machine.gpu.accelerator_type for machine in catalog.machines() if machine.gpu and machine.gpu.partitions}
)


def test_gpus_that_gke_divides() -> None:
    assert DIVIDED == [
        "nvidia-a100-80gb",
        "nvidia-b200",
        "nvidia-h100-80gb",
        "nvidia-h100-mega-80gb",
        "nvidia-h200-141gb",
        "nvidia-tesla-a100",
    ]


@pytest.mark.parametrize("name", DIVIDED)
def test_partitions_are_parts_of_the_gpu(name: str) -> None:
    gpu = catalog.gpu(name)
    assert gpu is not None
    for size in gpu.partitions:
        match = re.fullmatch(r"([1-7])g\.(\d+)gb", size)
        assert match, size
        assert int(match[2]) <= gpu.memory_gb
    # the whole GPU is the last one: seven of seven parts, and all memory
    assert gpu.partitions[-1] == f"7g.{gpu.memory_gb:g}gb"
    assert len(set(gpu.partitions)) == len(gpu.partitions)


def test_attached_gpus_are_not_divided() -> None:
    assert not any(gpu.partitions for gpu in catalog.attachable_gpus())
