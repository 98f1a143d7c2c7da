"""The ranges that managed file systems have in a network: Google's private services, and NetApp's."""

from collections.abc import Iterable
from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint.blueprint.storage import Storage
from clusterprint.derived import volumes

#: The addresses that an instance takes of private services: of Managed Lustre at least, of others at most.
_PREFIXES = {"lustre": 23, "parallelstore": 26}
_SMALLEST_PREFIX = 24

#: The prefix of the range of private services by default.
DEFAULT_PREFIX = 20

#: Where private services are by default: the first of these that the cluster's ranges leave free.
#: The later ones are for clusters that take the end of 10.0.0.0/8, or all of it. Docker has 172.17.0.0/16.
_SERVICES = (
    *(f"10.{second}" for second in range(255, 239, -1)),
    *(f"172.{second}" for second in range(31, 17, -1)),
    *(f"10.{second}" for second in range(239, -1, -1)),
    "192.168",
)


def least_prefix(storage: Storage) -> int:
    """The prefix of the smallest range that holds what a cluster has in private services, of a class one."""
    sizes = sum(
        1 << (32 - _PREFIXES.get(each.kind, _SMALLEST_PREFIX))
        for each in volumes.in_private_services(storage)
    )
    return min(_SMALLEST_PREFIX, 32 - (max(sizes, 1) - 1).bit_length())


def google(storage: Storage, taken: Iterable[IPv4Network]) -> IPv4Network:
    """The range of private services: what is said, or one that the cluster's own ranges leave free."""
    if storage.private_services.cidr is not UNSET:
        return IPv4Network(storage.private_services.cidr)
    return _free(taken)


def netapp(storage: Storage, taken: Iterable[IPv4Network]) -> IPv4Network:
    """The range of NetApp's own peering: one that the cluster and its other services leave free.

    It is the same whether those have a range that is said, so that saying one moves nothing of NetApp's.
    """
    ranges = tuple(taken)
    return _free((*ranges, _free(ranges), google(storage, ranges)))


def _free(taken: Iterable[IPv4Network]) -> IPv4Network:
    ranges = tuple(taken)
    for block in (*_SERVICES, _SERVICES[0]):  # the first where none is free: a rule reports that
        services = IPv4Network(f"{block}.240.0/{DEFAULT_PREFIX}")
        if not any(services.overlaps(other) for other in ranges):
            break
    return services
