"""How the one range of a GKE cluster is cut; the same arithmetic for rules and for resolve.

The first half is for pods, which use up most: every node takes a whole block. Then a quarter is for GPU
networks, an eighth for nodes, and an eighth for services. The parts are fixed, so that another pool never
moves a range that is in use.
"""

from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.derived import ranges

#: How many equal parts GPU networks are cut from.
GPU_PARTS = 32

#: Which of them is whose: first the networks of GPUs that speak TCP, at most eight; then the second network
#: of machines with RDMA; then the subnets for RDMA, the same in the isolated networks of all zones.
FIRST_TCP, HOST, FIRST_RDMA = 0, 8, 16

#: What is left of them holds the proxies of load balancers, and the machines that build images.
BUILDS, PROXIES = 30, 31

#: The smallest subnet that Google accepts for proxies.
PROXY_PREFIX = 26

#: Services need few addresses, however large the cluster.
SHORTEST_SERVICES = 20

#: The largest pods-per-node numbers that each size of block (its prefix length) is enough for. GKE keeps
#: twice as many addresses as there are pods, so that an address is not used again at once.
_BLOCKS = ((8, 28), (16, 27), (32, 26), (64, 25), (110, 24))


def pods(cidr: IPv4Network) -> IPv4Network:
    """The secondary range for pods: the first half."""
    return ranges.part(cidr, 1, 0)


def gpus(cidr: IPv4Network) -> IPv4Network:
    """The range that GPU networks are cut from: the third quarter."""
    return ranges.part(cidr, 2, 2)


def nodes(cidr: IPv4Network) -> IPv4Network:
    """The nodes' subnet: the seventh eighth."""
    return ranges.part(cidr, 3, 6)


def services(cidr: IPv4Network) -> IPv4Network:
    """The secondary range for services: the last eighth, but no more than its first /20."""
    eighth = ranges.part(cidr, 3, 7)
    return IPv4Network((eighth.network_address, max(eighth.prefixlen, SHORTEST_SERVICES)))


def gpu_subnet(cidr: IPv4Network, index: int) -> IPv4Network:
    """The subnet of one GPU network, counted from 0; `cidr` is what GPU networks are cut from."""
    if not 0 <= index < GPU_PARTS:
        raise ValueError(f"GPU network {index}: there is room for {GPU_PARTS}")
    return ranges.part(cidr, (GPU_PARTS - 1).bit_length(), index)


def gpu_part(network: ClusterNetwork, index: int) -> IPv4Network:
    """The same, of the range that a network writes for it, or cuts from its own."""
    whole = gpus(IPv4Network(network.cidr)) if network.gpu_cidr is UNSET else IPv4Network(network.gpu_cidr)
    return gpu_subnet(whole, index)


def proxies(network: ClusterNetwork) -> IPv4Network:
    """The subnet for the proxies of load balancers: the smallest that Google accepts, if there is room."""
    part = gpu_part(network, PROXIES)
    return IPv4Network((part.network_address, max(PROXY_PREFIX, part.prefixlen)))


def pod_block(max_pods: int) -> int:
    """The prefix length of the block of pod addresses that each node takes."""
    return next(length for most, length in _BLOCKS if max_pods <= most)


def pod_addresses(max_pods: int) -> int:
    """How many pod addresses each node takes."""
    return 1 << (32 - pod_block(max_pods))
