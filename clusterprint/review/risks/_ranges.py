"""Address ranges and ports, as far as risks need them."""

import ipaddress
from collections.abc import Iterable
from typing import Any

_WORDS = ("*", "internet", "any")

# A range of this size is no list of offices.
_WIDEST_PREFIX = 7

_SSH = 22


def is_everyone(text: str) -> bool:
    """Whether a range is, to all intents, the whole internet."""
    if text.lower() in _WORDS:
        return True
    network = _network(text)
    return network is not None and network.prefixlen <= _WIDEST_PREFIX and is_public(text)


def is_public(text: str) -> bool:
    """Whether a range reaches beyond private networks; Google's proxy for SSH is no such range."""
    network = _network(text)
    if network is None:
        return text.lower() in _WORDS
    return text != "35.235.240.0/20" and not network.is_private


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
