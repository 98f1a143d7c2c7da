from ipaddress import IPv4Network
from itertools import combinations

import pytest

from clusterprint.blueprint.storage import VmStorage
from clusterprint.blueprint.volumes import PrivateServices
from clusterprint.derived import service_ranges

DOCKER = IPv4Network("172.17.0.0/16")


@pytest.mark.parametrize(
    "cidr", ["10.0.0.0/16", "10.240.0.0/12", "10.128.0.0/9", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]
)
def test_what_is_peered_lies_outside_of_the_cluster_and_of_each_other(cidr: str) -> None:
    own = IPv4Network(cidr)
    services = service_ranges.google(VmStorage(), [own])
    netapp = service_ranges.netapp(VmStorage(), [own])
    assert not any(one.overlaps(other) for one, other in combinations((own, services, netapp), 2))
    assert not any(peered.overlaps(DOCKER) for peered in (services, netapp))


def test_the_range_of_netapp_leaves_the_one_that_is_said_free() -> None:
    said = VmStorage(private_services=PrivateServices(cidr="10.255.0.0/16"))
    assert service_ranges.netapp(said, [IPv4Network("10.0.0.0/16")]) == IPv4Network("10.254.240.0/20")


def test_saying_a_range_moves_nothing_of_netapp() -> None:
    taken = [IPv4Network("10.0.0.0/16")]
    said = VmStorage(private_services=PrivateServices(cidr="10.99.0.0/20"))
    assert service_ranges.netapp(said, taken) == service_ranges.netapp(VmStorage(), taken)


def test_clusters_elsewhere_have_the_end_of_ten() -> None:
    assert service_ranges.google(VmStorage(), [IPv4Network("10.0.0.0/16")]) == IPv4Network("10.255.240.0/20")
