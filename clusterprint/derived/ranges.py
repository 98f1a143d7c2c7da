"""How the one range of a cluster is cut into subnets; the same arithmetic for rules and for resolve.

The first half is the nodes' primary subnet. The second half is cut into equal parts, one for each GPU
network: first the extra networks of the machine type, then the subnets of its RDMA network.
"""

from ipaddress import IPv4Network

GPU_NETWORKS = 16

#: Where SSH connections come from that Identity-Aware Proxy lets through.
IDENTITY_AWARE_PROXY = IPv4Network("35.235.240.0/20")

#: Google keeps the first two and the last two addresses of every subnet (VPC: subnets, unusable addresses).
RESERVED_ADDRESSES = 4

#: The longest prefix, that is the smallest range, that a subnet may have.
LONGEST_PREFIX = 29

#: How much longer the prefix of a part is than that of the whole range.
PRIMARY_BITS = 1
GPU_BITS = PRIMARY_BITS + (GPU_NETWORKS - 1).bit_length()


def primary(cidr: IPv4Network) -> IPv4Network:
    """The nodes' primary subnet: the first half."""
    return part(cidr, PRIMARY_BITS, 0)


def gpu(cidr: IPv4Network, index: int) -> IPv4Network:
    """The subnet of one GPU network, counted from 0: a sixteenth of the second half."""
    if not 0 <= index < GPU_NETWORKS:
        raise ValueError(f"GPU network {index}: there is room for {GPU_NETWORKS}")
    return part(cidr, GPU_BITS, GPU_NETWORKS + index)


def hosts(network: IPv4Network) -> int:
    """How many nodes a subnet has addresses for."""
    return max(0, network.num_addresses - RESERVED_ADDRESSES)


def longest_prefix_for(nodes: int, gpu_networks: int) -> int:
    """The prefix length of the smallest range that holds so many nodes, and GPU networks for all of them."""
    size = max(nodes + RESERVED_ADDRESSES, 1 << (32 - LONGEST_PREFIX))
    part = 32 - (size - 1).bit_length()
    return part - (GPU_BITS if gpu_networks else PRIMARY_BITS)


def part(cidr: IPv4Network, bits: int, index: int) -> IPv4Network:
    """One of the equal parts that a range is cut into, without listing the others.

    The prefix of each part is `bits` longer. ValueError if a part is too small for a subnet.
    """
    length = cidr.prefixlen + bits
    if length > LONGEST_PREFIX:
        raise ValueError(f"{cidr} is too small to be divided: a subnet is a /{LONGEST_PREFIX} or larger")
    start = int(cidr.network_address) + (index << (32 - length))
    return IPv4Network((start, length))
