"""The networks of a cluster: one for everything, and the GPU networks that its machines need."""

from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_network import Network
from clusterprint.derived import network_names, ranges
from clusterprint.plan.google import NatPlan, NetworkPlan, SubnetPlan

# Google's default; and the largest frame, for machines that move data between GPUs.
STANDARD_MTU = 1460
JUMBO_MTU = 8896

PRIMARY = "primary"

# What one node may hold of the ports of the address that all go out by, from the first connection on.
NAT_PORTS = 64, 32768


def gpu_network_key(index: int) -> str:
    """The key of a GPU network and of its subnet."""
    return f"gpu-{index}"


def rdma_subnet_key(index: int) -> str:
    """The key of a subnet of the RDMA network."""
    return f"rdma-{index}"


def network_profile(project: str, zone: str, layout: catalog.NetworkLayout) -> str:
    """The profile of an RDMA network in a zone.

    The API answers with the full address; a short one would show up as a change forever.
    """
    return (
        "https://www.googleapis.com/compute/v1/"
        f"projects/{project}/global/networkProfiles/{zone}-{layout.rdma_profile}"
    )


def resolve_networks(
    blueprint: VmBlueprint, layout: catalog.NetworkLayout, zone: str
) -> tuple[NetworkPlan, ...]:
    """The networks to create, in the order of the nodes' interfaces; `zone` is that of RDMA."""
    name, network, project = blueprint.name, blueprint.network, blueprint.project
    # Where there are groups, another may join some day, and packets grow only while machines are off.
    jumbo = blueprint.nodes is UNSET or layout.fabric != "none"
    primary = () if _has_existing(network) else (_primary(name, network, jumbo=jumbo),)
    extra = tuple(_gpu_network(name, network, layout, index) for index in range(layout.extra_vpcs))
    rdma = tuple(_rdma_network(name, network, layout, project, zone) for _ in range(layout.rdma_vpcs))
    return (*primary, *extra, *rdma)


def resolve_nat(name: str, network: Network, *, public_ip: bool) -> NatPlan | None:
    """Nodes with a public address need no NAT; an existing network has its owner's."""
    if public_ip or not network.nat or _has_existing(network):
        return None
    return NatPlan(
        network=PRIMARY,
        router=network_names.router(name),
        name=network_names.nat(name),
        dynamic_ports=NAT_PORTS,
    )


def _has_existing(network: Network) -> bool:
    return network.existing is not UNSET


def _primary(name: str, network: Network, *, jumbo: bool) -> NetworkPlan:
    cidr = str(ranges.primary(IPv4Network(network.cidr)))
    return NetworkPlan(
        key=PRIMARY,
        name=network_names.network(name),
        mtu=network.mtu if network.mtu is not UNSET else JUMBO_MTU if jumbo else STANDARD_MTU,
        profile="",
        subnets=(SubnetPlan(key=PRIMARY, name=network_names.subnet(name), cidr=cidr, secondary_ranges=()),),
        internal_rule=network_names.internal_firewall(name),
        internal_ranges=(cidr,),
        ssh_rule=network_names.ssh_firewall(name),
        ssh_ranges=network.ssh_source_ranges,
    )


def _gpu_network(name: str, network: Network, layout: catalog.NetworkLayout, index: int) -> NetworkPlan:
    cidr = str(ranges.gpu(IPv4Network(network.cidr), index))
    return NetworkPlan(
        key=gpu_network_key(index),
        name=network_names.gpu_network(name, index),
        mtu=layout.mtu or STANDARD_MTU,
        profile="",
        subnets=(
            SubnetPlan(
                key=gpu_network_key(index),
                name=network_names.gpu_subnet(name, index),
                cidr=cidr,
                secondary_ranges=(),
            ),
        ),
        internal_rule=network_names.gpu_firewall(name, index),
        internal_ranges=(cidr,),
        ssh_rule="",
        ssh_ranges=(),
    )


def _rdma_network(
    name: str, network: Network, layout: catalog.NetworkLayout, project: str, zone: str
) -> NetworkPlan:
    """One network for all RDMA interfaces; its profile allows no firewall rules."""
    return NetworkPlan(
        key="rdma",
        name=network_names.rdma_network(name),
        mtu=layout.mtu or JUMBO_MTU,
        profile=network_profile(project, zone, layout),
        subnets=tuple(
            SubnetPlan(
                key=rdma_subnet_key(index),
                name=network_names.rdma_subnet(name, index),
                cidr=str(ranges.gpu(IPv4Network(network.cidr), layout.extra_vpcs + index)),
                secondary_ranges=(),
            )
            for index in range(layout.rdma_subnets)
        ),
        internal_rule="",
        internal_ranges=(),
        ssh_rule="",
        ssh_ranges=(),
    )
