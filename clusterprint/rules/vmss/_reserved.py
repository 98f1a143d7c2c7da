"""Ranges that no virtual network may touch, and what they are for."""

from ipaddress import IPv4Network

RESERVED = {
    IPv4Network("127.0.0.0/8"): "the host itself",
    IPv4Network("168.63.129.16/32"): "Azure's own DNS and health probes",
    IPv4Network("169.254.0.0/16"): "link-local addresses, the metadata server among them",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("255.255.255.255/32"): "broadcast",
}


def reserved(cidr: IPv4Network) -> tuple[IPv4Network, str] | None:
    """The first reserved range that a range touches, with its purpose."""
    return next((each for each in RESERVED.items() if cidr.overlaps(each[0])), None)
