from ipaddress import IPv4Network
from itertools import combinations

import pytest

from clusterprint.derived import ranges

DEFAULT = IPv4Network("10.0.0.0/16")


def test_the_first_half_is_the_primary_subnet() -> None:
    assert ranges.primary(DEFAULT) == IPv4Network("10.0.0.0/17")


def test_gpu_networks_are_sixteenths_of_the_second_half() -> None:
    assert ranges.gpu(DEFAULT, 0) == IPv4Network("10.0.128.0/21")
    assert ranges.gpu(DEFAULT, 1) == IPv4Network("10.0.136.0/21")
    assert ranges.gpu(DEFAULT, 15) == IPv4Network("10.0.248.0/21")


@pytest.mark.parametrize("cidr", ["10.0.0.0/8", "10.0.0.0/16", "192.168.4.0/24"])
def test_the_parts_fill_the_range_without_overlap(cidr: str) -> None:
    whole = IPv4Network(cidr)
    parts = [ranges.primary(whole), *(ranges.gpu(whole, index) for index in range(ranges.GPU_NETWORKS))]
    assert sum(part.num_addresses for part in parts) == whole.num_addresses
    assert all(part.subnet_of(whole) for part in parts)
    assert not any(one.overlaps(other) for one, other in combinations(parts, 2))


@pytest.mark.parametrize("index", [-1, 16])
def test_there_are_sixteen_gpu_networks(index: int) -> None:
    with pytest.raises(ValueError, match="room for 16"):
        ranges.gpu(DEFAULT, index)


def test_a_range_too_small_to_cut_is_refused() -> None:
    assert ranges.primary(IPv4Network("10.0.0.0/28")).prefixlen == 29
    assert ranges.gpu(IPv4Network("10.0.0.0/24"), 0).prefixlen == 29
    with pytest.raises(ValueError, match="too small"):
        ranges.primary(IPv4Network("10.0.0.0/29"))
    with pytest.raises(ValueError, match="too small"):
        ranges.gpu(IPv4Network("10.0.0.0/25"), 0)


@pytest.mark.parametrize(("cidr", "nodes"), [("10.0.0.0/29", 4), ("10.0.0.0/24", 252), ("10.0.0.0/32", 0)])
def test_google_keeps_four_addresses(cidr: str, nodes: int) -> None:
    assert ranges.hosts(IPv4Network(cidr)) == nodes


@pytest.mark.parametrize("gpu_networks", [0, 9])
@pytest.mark.parametrize("nodes", [0, 1, 4, 5, 12, 13, 252, 253, 1000])
def test_the_longest_prefix_holds_the_nodes_and_a_longer_one_does_not(nodes: int, gpu_networks: int) -> None:
    prefix = ranges.longest_prefix_for(nodes, gpu_networks)
    assert _holds(prefix, nodes, gpu_networks)
    assert not _holds(prefix + 1, nodes, gpu_networks)


def _holds(prefix: int, nodes: int, gpu_networks: int) -> bool:
    whole = IPv4Network((0x0A000000, prefix))
    try:
        parts = [ranges.primary(whole), *(ranges.gpu(whole, index) for index in range(gpu_networks))]
    except ValueError:
        return False
    return all(ranges.hosts(part) >= nodes for part in parts)
