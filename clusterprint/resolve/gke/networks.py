"""The networks of a GKE cluster: one for everything, and those that GPUs and machines with RDMA need.

They belong to the cluster, not to a pool: pools with machines of the same sort share them.
"""

from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import cluster_ranges, existing, gateways, network_names, node_pools
from clusterprint.plan.gke.control_plane import ClusterNetworkPlan
from clusterprint.plan.gke.pools import InterfacePlan
from clusterprint.plan.google import NatPlan, NetworkPlan, RangePlan, SubnetPlan
from clusterprint.resolve.network import (
    JUMBO_MTU,
    NAT_PORTS,
    PRIMARY,
    STANDARD_MTU,
    gpu_network_key,
    network_profile,
)

HOST = "host"


def resolve_networks(blueprint: KubernetesBlueprint) -> tuple[NetworkPlan, ...]:
    """The networks to create, each once."""
    primary = (_primary(blueprint),) if existing.makes_network(blueprint) else ()
    layouts = [node_pools.layout(pool) for pool in blueprint.node_pools]
    tcp = max((each.extra_vpcs for each in layouts if _is_tcp(each)), default=0)
    host = any(each.extra_vpcs for each in layouts if not _is_tcp(each))
    rdma: dict[tuple[str, str], catalog.NetworkLayout] = {}
    for pool, layout in zip(blueprint.node_pools, layouts, strict=True):
        if layout.rdma_vpcs:
            # Networks of one zone, and of one profile.
            key = node_pools.zones(blueprint, pool)[0], layout.rdma_word
            most = rdma.setdefault(key, layout)
            rdma[key] = max(most, layout, key=lambda each: each.rdma_subnets)
    return (
        *primary,
        *(_tcp_network(blueprint, index, layouts) for index in range(tcp)),
        *((_host_network(blueprint),) if host else ()),
        *(_rdma_network(blueprint, zone, rdma[zone, word]) for zone, word in sorted(rdma)),
    )


def resolve_proxies(blueprint: KubernetesBlueprint) -> SubnetPlan | None:
    """Regional load balancers need a subnet for their proxies; an existing network has its owner's."""
    if not gateways.makes_proxies(blueprint):
        return None
    cidr = cluster_ranges.proxies(blueprint.network)
    return SubnetPlan(
        key="proxies", name=network_names.proxy_subnet(blueprint.name), cidr=str(cidr), secondary_ranges=()
    )


def resolve_nat(blueprint: KubernetesBlueprint) -> NatPlan | None:
    """Nodes with public addresses need no NAT; an existing network has its owner's."""
    network = blueprint.network
    if not (blueprint.cluster.private_nodes and network.nat and existing.makes_network(blueprint)):
        return None
    return NatPlan(
        network=PRIMARY,
        router=network_names.router(blueprint.name),
        name=network_names.nat(blueprint.name),
        # All pods of a node share its ports.
        dynamic_ports=NAT_PORTS,
    )


def resolve_cluster_network(blueprint: KubernetesBlueprint) -> ClusterNetworkPlan:
    """Where the cluster is connected: the created network, or the one that is there."""
    given = blueprint.network.existing
    if given is UNSET:
        return ClusterNetworkPlan(
            network=PRIMARY,
            subnet=PRIMARY,
            existing_network="",
            existing_subnet="",
            pod_range=network_names.pod_range(blueprint.name),
            service_range=network_names.service_range(blueprint.name),
            # GKE takes public addresses for those of the internet, and hides pods from them.
            default_snat=not blueprint.network.allow_public_cidr,
        )
    host = f"projects/{blueprint.project if given.project is UNSET else given.project}"
    return ClusterNetworkPlan(
        network="",
        subnet="",
        existing_network=f"{host}/global/networks/{given.name}",
        existing_subnet=f"{host}/regions/{blueprint.region}/subnetworks/{given.subnetwork}",
        pod_range=given.pod_range,
        service_range=given.service_range,
        default_snat=not blueprint.network.allow_public_cidr,
    )


def resolve_interfaces(blueprint: KubernetesBlueprint, pool: NodePool) -> tuple[InterfacePlan, ...]:
    """The interfaces of each node besides the first, in the order of its cards."""
    layout = node_pools.layout(pool)
    name, zone, word = blueprint.name, node_pools.zones(blueprint, pool)[0], layout.rdma_word
    if _is_tcp(layout):
        extra = [
            _interface(gpu_network_key(index), network_names.gpu_network(name, index), f"gpu-{index}")
            for index in range(layout.extra_vpcs)
        ]
    else:
        extra = [_interface(HOST, network_names.host_network(name), HOST)] * bool(layout.extra_vpcs)
    rdma = [
        InterfacePlan(
            # With the zone in it, so that it stays what it is when another zone gets one.
            name=_rdma_subnet_key(zone, word, index),
            network=network_names.zonal_rdma(zone, word),
            subnet=_rdma_subnet_key(zone, word, index),
            network_name=network_names.zonal_rdma_network(name, zone, word),
            subnet_name=network_names.zonal_rdma_subnet(name, zone, index, word),
            device_mode="RDMA",
        )
        for index in range(layout.rdma_subnets)
    ]
    return (*extra, *rdma)


def _interface(key: str, network: str, name: str) -> InterfacePlan:
    return InterfacePlan(
        name=name,
        network=key,
        subnet=key,
        network_name=network,
        subnet_name=network,
        device_mode="NetDevice",
    )


def _is_tcp(layout: catalog.NetworkLayout) -> bool:
    """Whether GPUs talk over networks of their own by TCP: each card has one, up to eight."""
    return layout.gpudirect in ("TCPX", "TCPXO")


def _rdma_subnet_key(zone: str, word: str, index: int) -> str:
    return f"{network_names.zonal_rdma(zone, word)}-{index}"


def _primary(blueprint: KubernetesBlueprint) -> NetworkPlan:
    network, name = blueprint.network, blueprint.name
    whole = IPv4Network(network.cidr)
    nodes = str(cluster_ranges.nodes(whole)) if network.node_cidr is UNSET else network.node_cidr
    pods = str(cluster_ranges.pods(whole)) if network.pod_cidr is UNSET else network.pod_cidr
    services = str(cluster_ranges.services(whole)) if network.service_cidr is UNSET else network.service_cidr
    return NetworkPlan(
        key=PRIMARY,
        name=network_names.network(name),
        mtu=network.mtu,
        profile="",
        subnets=(
            SubnetPlan(
                key=PRIMARY,
                name=network_names.subnet(name),
                cidr=nodes,
                secondary_ranges=(
                    RangePlan(name=network_names.pod_range(name), cidr=pods),
                    RangePlan(name=network_names.service_range(name), cidr=services),
                ),
            ),
        ),
        # GKE lets nodes and pods talk to each other. This is for jobs on the nodes' own network, and for
        # the control plane, which calls webhooks at any port from its address in the nodes' subnet.
        internal_rule=network_names.internal_firewall(name),
        internal_ranges=(nodes,),
        ssh_rule="",
        ssh_ranges=(),
    )


def _tcp_network(
    blueprint: KubernetesBlueprint, index: int, layouts: list[catalog.NetworkLayout]
) -> NetworkPlan:
    mtu = next((each.mtu for each in layouts if _is_tcp(each) and each.mtu), STANDARD_MTU)
    return _gpu_network(
        gpu_network_key(index),
        network_names.gpu_network(blueprint.name, index),
        network_names.gpu_firewall(blueprint.name, index),
        mtu,
        str(cluster_ranges.gpu_part(blueprint.network, cluster_ranges.FIRST_TCP + index)),
    )


def _host_network(blueprint: KubernetesBlueprint) -> NetworkPlan:
    return _gpu_network(
        HOST,
        network_names.host_network(blueprint.name),
        network_names.host_firewall(blueprint.name),
        JUMBO_MTU,
        str(cluster_ranges.gpu_part(blueprint.network, cluster_ranges.HOST)),
    )


def _gpu_network(key: str, name: str, firewall: str, mtu: int, cidr: str) -> NetworkPlan:
    return NetworkPlan(
        key=key,
        name=name,
        mtu=mtu,
        profile="",
        subnets=(SubnetPlan(key=key, name=name, cidr=cidr, secondary_ranges=()),),
        internal_rule=firewall,
        internal_ranges=(cidr,),
        ssh_rule="",
        ssh_ranges=(),
    )


def _rdma_network(blueprint: KubernetesBlueprint, zone: str, layout: catalog.NetworkLayout) -> NetworkPlan:
    """One network for all RDMA interfaces in a zone; its profile allows no firewall rules."""
    word = layout.rdma_word
    return NetworkPlan(
        key=network_names.zonal_rdma(zone, word),
        name=network_names.zonal_rdma_network(blueprint.name, zone, word),
        mtu=layout.mtu or JUMBO_MTU,
        profile=network_profile(blueprint.project, zone, layout),
        subnets=tuple(
            SubnetPlan(
                key=_rdma_subnet_key(zone, word, index),
                name=network_names.zonal_rdma_subnet(blueprint.name, zone, index, word),
                cidr=str(cluster_ranges.gpu_part(blueprint.network, cluster_ranges.FIRST_RDMA + index)),
                secondary_ranges=(),
            )
            for index in range(layout.rdma_subnets)
        ),
        internal_rule="",
        internal_ranges=(),
        ssh_rule="",
        ssh_ranges=(),
    )
