"""Address ranges and ports, as far as risks need them."""

import ipaddress
from collections.abc import Iterable
from typing import Any

_WORDS = ("*", "internet", "any")

# A range of this size is no list of offices.
_WIDEST_PREFIX = 7

_SSH = 22

# Not the internet: private, shared, local; and Google's proxy for SSH, which asks who it is.
_INNER = tuple(
    ipaddress.ip_network(each)
    for each in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "fc00::/7", "fe80::/10", "::1/128", "35.235.240.0/20",
    )
)  # fmt: skip


def is_everyone(text: str) -> bool:
    """Whether a range is, to all intents, the whole internet."""
    if text.lower() in _WORDS:
        return True
    network = _network(text)
    return network is not None and network.prefixlen <= _WIDEST_PREFIX and is_public(text)


def is_everybody(ranges: Iterable[str]) -> bool:
    """Whether ranges are together as many addresses as one that is the whole internet."""
    ranges = list(ranges)
    if any(map(is_everyone, ranges)):
        return True
    found = [_network(each) for each in ranges if is_public(each)]
    for version, bits in ((4, 32), (6, 128)):
        networks = [each for each in found if each is not None and each.version == version]
        collapsed = ipaddress.collapse_addresses(networks)  # type: ignore[type-var]
        if sum(each.num_addresses for each in collapsed) >= 2 ** (bits - _WIDEST_PREFIX):
            return True
    return False


def is_public(text: str) -> bool:
    """Whether a range reaches beyond private networks; Google's proxy for SSH is no such range."""
    network = _network(text)
    if network is None:
        return text.lower() in _WORDS
    return not any(
        network.version == inner.version and network.subnet_of(inner)  # type: ignore[arg-type]
        for inner in _INNER
    )


def opens_ssh(protocol: str, ports: Iterable[Any]) -> bool:
    """Whether a protocol and its ports (none: all) let SSH through."""
    if protocol.lower() not in ("tcp", "all", "*", "6"):
        return False
    ranges = [str(each).partition("-") for each in ports]
    return not ranges or any(_covers(low, high or low) for low, _, high in ranges)


def _covers(low: str, high: str) -> bool:
    return low.strip().isdigit() and high.strip().isdigit() and int(low) <= _SSH <= int(high)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
