from ipaddress import IPv4Address, IPv4Network

import pytest

from clusterprint.derived import azure_ranges

DEFAULT = IPv4Network("10.0.0.0/16")


def test_machines_get_the_first_half_and_bastion_the_end() -> None:
    assert azure_ranges.machines(DEFAULT) == IPv4Network("10.0.0.0/17")
    assert azure_ranges.bastion(DEFAULT) == IPv4Network("10.0.255.192/26")


@pytest.mark.parametrize("cidr", ["10.0.0.0/8", "10.0.0.0/16", "10.0.0.0/24", "10.0.0.0/25"])
def test_the_parts_lie_in_the_range_side_by_side(cidr: str) -> None:
    whole = IPv4Network(cidr)
    machines, bastion = azure_ranges.machines(whole), azure_ranges.bastion(whole)
    assert machines.subnet_of(whole)
    assert bastion.subnet_of(whole)
    assert not machines.overlaps(bastion)


def test_the_head_has_the_last_address_that_azure_leaves_free() -> None:
    assert azure_ranges.head(IPv4Network("10.0.0.0/24")) == IPv4Address("10.0.0.254")


def test_what_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="too small to be divided"):
        azure_ranges.machines(IPv4Network("10.0.0.0/29"))
    with pytest.raises(ValueError, match="too small for Bastion"):
        azure_ranges.bastion(IPv4Network("10.0.0.0/26"))


@pytest.mark.parametrize("machines", [1, 3, 4, 11, 12, 27, 100, 1000])
def test_the_smallest_subnet_holds_so_many_machines_and_no_smaller_one_does(machines: int) -> None:
    length = azure_ranges.longest_prefix_for(machines)
    assert azure_ranges.hosts(IPv4Network((0, length))) >= machines
    smaller = azure_ranges.hosts(IPv4Network((0, length + 1)))
    assert smaller < machines or length == azure_ranges.LONGEST_PREFIX


def test_lustre_begins_the_second_half_and_bastion_ends_it() -> None:
    lustre, bastion = azure_ranges.lustre(DEFAULT, 27), azure_ranges.bastion(DEFAULT)
    assert lustre == IPv4Network("10.0.128.0/27")
    assert not lustre.overlaps(bastion)
    assert not lustre.overlaps(azure_ranges.machines(DEFAULT))


@pytest.mark.parametrize("prefixes", [(26,), (27,), (27, 26), (22, 26)])
def test_a_second_half_is_never_smaller_than_what_is_in_it(prefixes: tuple[int, ...]) -> None:
    longest = azure_ranges.longest_prefix_beside(prefixes)
    need = sum(IPv4Network((0, each)).num_addresses for each in prefixes)
    assert IPv4Network((0, longest + 1)).num_addresses >= need
    assert IPv4Network((0, longest + 2)).num_addresses < need
