from ipaddress import IPv4Network
from itertools import combinations

import pytest

from clusterprint.derived import cluster_ranges

DEFAULT = IPv4Network("10.0.0.0/14")


def test_the_parts_of_the_default_range() -> None:
    assert cluster_ranges.pods(DEFAULT) == IPv4Network("10.0.0.0/15")
    assert cluster_ranges.gpus(DEFAULT) == IPv4Network("10.2.0.0/16")
    assert cluster_ranges.nodes(DEFAULT) == IPv4Network("10.3.0.0/17")
    assert cluster_ranges.services(DEFAULT) == IPv4Network("10.3.128.0/20")


@pytest.mark.parametrize("cidr", ["10.0.0.0/8", "10.0.0.0/14", "172.16.0.0/19"])
def test_parts_lie_in_the_range_and_never_overlap(cidr: str) -> None:
    whole = IPv4Network(cidr)
    gpus = cluster_ranges.gpus(whole)
    parts = [
        cluster_ranges.pods(whole),
        cluster_ranges.nodes(whole),
        cluster_ranges.services(whole),
        *(cluster_ranges.gpu_subnet(gpus, index) for index in range(cluster_ranges.GPU_PARTS)),
    ]
    assert all(part.subnet_of(whole) for part in parts)
    assert not any(one.overlaps(other) for one, other in combinations(parts, 2))


@pytest.mark.parametrize("index", [-1, 32])
def test_there_is_room_for_so_many_gpu_networks(index: int) -> None:
    with pytest.raises(ValueError, match="room for 32"):
        cluster_ranges.gpu_subnet(IPv4Network("10.2.0.0/16"), index)


def test_a_range_that_cannot_be_cut_is_no_range() -> None:
    with pytest.raises(ValueError, match="too small"):
        cluster_ranges.gpu_subnet(IPv4Network("10.2.0.0/25"), 0)


@pytest.mark.parametrize(
    ("pods", "prefix"),
    [(8, 28), (9, 27), (16, 27), (17, 26), (32, 26), (33, 25), (64, 25), (65, 24), (110, 24)],
)
def test_a_node_takes_a_block_of_twice_its_pods(pods: int, prefix: int) -> None:
    assert cluster_ranges.pod_block(pods) == prefix
    assert cluster_ranges.pod_addresses(pods) == 2 ** (32 - prefix)
