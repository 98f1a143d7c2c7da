"""Helpers of rules about network ranges: parsing, and Google's limits."""

from collections.abc import Iterator, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv4Network


def read(cidr: str) -> IPv4Network | None:
    """The network of a CIDR, host bits taken off; None for what is no range (another rule says so)."""
    text = str(cidr)
    try:
        network = IPv4Network(text, strict=False)
    except ValueError:
        return None
    return network if text.endswith(f"/{network.prefixlen}") else None  # and not "/08"


def fault(cidr: str) -> str:
    """Why a text of the form of a CIDR is no range."""
    address, _, prefix = cidr.partition("/")
    try:
        IPv4Address(address)
    except AddressValueError:
        large = next((part for part in address.split(".") if int(part) > 255), "")  # noqa: PLR2004 - an octet
        return f"{large} is more than 255" if large else f"{address} has a number with a leading zero"
    return f"/{prefix} has a leading zero" if prefix.startswith("0") else f"/{prefix} is more than /32"


def is_canonical(cidr: str) -> bool:
    """Whether a CIDR is written as a network, with no bits set behind the prefix."""
    network = read(cidr)
    return network is not None and str(network) == cidr


def _networks(*cidrs: str) -> tuple[IPv4Network, ...]:
    return tuple(IPv4Network(each) for each in cidrs)


_AZURE = _networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")

#: Ranges that subnets of a cloud may have and that do not belong to anybody on the internet.
PRIVATE = {
    "azure": _AZURE,
    "google": _AZURE
    + _networks(
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "240.0.0.0/4",
    ),
}

_OF_BOTH = {
    IPv4Network("127.0.0.0/8"): "the host itself",
    IPv4Network("169.254.0.0/16"): "link-local addresses, the metadata server among them",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("255.255.255.255/32"): "broadcast",
}

#: Ranges that no subnet of a cloud may touch, and what they are for.
RESERVED = {
    "azure": {**_OF_BOTH, IPv4Network("168.63.129.16/32"): "Azure's own DNS and health probes"},
    "google": {
        IPv4Network("0.0.0.0/8"): "the local network",
        **_OF_BOTH,
        IPv4Network("199.36.153.4/30"): "Google APIs (restricted.googleapis.com)",
        IPv4Network("199.36.153.8/30"): "Google APIs (private.googleapis.com)",
    },
}

CLASS_E = IPv4Network("240.0.0.0/4")
DOCKER = IPv4Network("172.17.0.0/16")

#: Shorter prefixes than this are the internet rather than a place in it.
SHORTEST_PLACE = 8


def reserved(network: IPv4Network, cloud: str = "google") -> tuple[IPv4Network, str] | None:
    """The first reserved range that a network touches, with its purpose."""
    return next((each for each in RESERVED[cloud].items() if network.overlaps(each[0])), None)


def is_private(network: IPv4Network, cloud: str = "google") -> bool:
    """Whether a network lies inside one private range."""
    return any(network.subnet_of(each) for each in PRIVATE[cloud])


def private_part(network: IPv4Network, cloud: str) -> IPv4Network | None:
    """The first private range that a network touches."""
    return next((each for each in PRIVATE[cloud] if each.overlaps(network)), None)


def repeated(ranges: Sequence[IPv4Network]) -> Iterator[tuple[int, int]]:
    """The positions of ranges that are listed twice or lie inside another, each with that other's.

    Of two equal ones, the first contains the second.
    """
    first: dict[IPv4Network, int] = {}
    for position, each in enumerate(ranges):
        first.setdefault(each, position)
    for position, each in enumerate(ranges):
        if first[each] != position:
            yield position, first[each]
            continue
        around = (each.supernet(new_prefix=length) for length in range(each.prefixlen - 1, -1, -1))
        outer = next((first[other] for other in around if other in first), None)
        if outer is not None:
            yield position, outer
