"""How the range of a cluster on Azure is cut into subnets; the same arithmetic for rules and for resolve.

The first half is the subnet of all machines. The second half begins with the subnet of a Lustre file system
and ends with Bastion's; the rest is free.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network

#: Azure keeps the first four addresses of every subnet and the last one (virtual network FAQ).
RESERVED_ADDRESSES = 5

#: The longest prefix, that is the smallest range, that a subnet may have.
LONGEST_PREFIX = 29

#: Bastion needs a subnet of this size, or larger.
BASTION_PREFIX = 26


def machines(cidr: IPv4Network) -> IPv4Network:
    """The subnet of all machines: the first half. ValueError if it would be too small for Azure."""
    if cidr.prefixlen >= LONGEST_PREFIX:
        raise ValueError(f"{cidr} is too small to be divided: a subnet is a /{LONGEST_PREFIX} or larger")
    return IPv4Network((int(cidr.network_address), cidr.prefixlen + 1))


def bastion(cidr: IPv4Network) -> IPv4Network:
    """The subnet of Bastion: the end. ValueError if the second half is too small for it."""
    if cidr.prefixlen >= BASTION_PREFIX:
        raise ValueError(f"{cidr} is too small for Bastion: it takes a /{BASTION_PREFIX} of the second half")
    size = 1 << (32 - BASTION_PREFIX)
    return IPv4Network((int(cidr.broadcast_address) + 1 - size, BASTION_PREFIX))


def lustre(cidr: IPv4Network, prefix: int) -> IPv4Network:
    """The subnet of a Lustre file system, of a prefix length: the start of the second half."""
    start = int(cidr.network_address) + cidr.num_addresses // 2
    return IPv4Network((start, prefix))


def longest_prefix_beside(prefixes: Iterable[int]) -> int:
    """The prefix length of the smallest range whose second half holds subnets of these prefix lengths."""
    return 32 - (2 * sum(1 << (32 - each) for each in prefixes) - 1).bit_length()


def head(subnet: IPv4Network) -> IPv4Address:
    """The address of the head: the last free one, for Azure gives them away from the start."""
    return IPv4Address(int(subnet.broadcast_address) - 1)


def hosts(subnet: IPv4Network) -> int:
    """How many machines a subnet has addresses for."""
    return max(0, subnet.num_addresses - RESERVED_ADDRESSES)


def longest_prefix_for(machines_count: int) -> int:
    """The prefix length of the smallest subnet that holds so many machines."""
    size = max(machines_count + RESERVED_ADDRESSES, 1 << (32 - LONGEST_PREFIX))
    return 32 - (size - 1).bit_length()
