"""The networks of a pool beside the cluster's own: how many, of which kind, and what they need."""

from __future__ import annotations

import itertools
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.gke.cluster_checks import ADVANCED_DATAPATH
from clusterprint_simcloud.google.gke.hardware import machine_type
from clusterprint_simcloud.google.gke.places import beside, cluster_of, region_of, zones_of_pool
from clusterprint_simcloud.google.links import find, name_of
from clusterprint_simcloud.google.machines import INTERFACES, SINGLE_INTERFACE, takes_falcon
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK, network_of, rdma_kind, rdma_zone
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block


def check(request: Request) -> None:
    """Refuse additional networks that the cluster or the machines cannot have.

    :raises ApiError: for the first mistake.
    """
    wanted = block(request.state, "network_config").get("additional_node_network_configs") or []
    if not wanted:
        return
    _check_cluster(request)
    networks = [_network(request, one) for one in wanted]
    subnetworks = [name_of(str(one.get("subnetwork"))) for one in wanted]
    if len(subnetworks) != len(set(subnetworks)):
        raise _bad(request, "Subnetworks of additional node networks must be distinct.")
    ordinary = [one.key for one in networks if not rdma_zone(one)]
    if len(ordinary) != len(set(ordinary)):
        raise _bad(request, "Additional node networks must be distinct.")
    _check_overlap(request, wanted)
    _check_zones(request, networks)
    if any(rdma_kind(one) == "IRDMA" for one in networks):
        _check_falcon(request, networks)
    else:
        _check_number(request, len(ordinary), len(networks) - len(ordinary))


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")


def _check_cluster(request: Request) -> None:
    """Documentation "Set up multi-network support for Pods"."""
    cluster = cluster_of(request).state
    if not cluster.get("enable_multi_networking"):
        raise _bad(request, "Additional node networks need multi-networking (enable_multi_networking).")
    if cluster.get("datapath_provider") != ADVANCED_DATAPATH:
        raise _bad(request, "Additional node networks need Dataplane V2 (ADVANCED_DATAPATH).")


def _network(request: Request, config: State) -> Record:
    """The network of one entry; both names have been resolved, if they are given."""
    network = find(beside(request), str(config.get("network") or ""), NETWORK)
    subnetwork = find(beside(request), str(config.get("subnetwork") or ""), SUBNETWORK)
    if network is None or subnetwork is None:
        raise _bad(request, "An additional node network needs a network and a subnetwork.")
    if network_of(request.contents, subnetwork).key != network.key:
        raise _bad(request, f"Subnetwork '{subnetwork.id}' is not in network '{network.id}'.")
    if name_of(str(subnetwork.state["region"])) != region_of(str(cluster_of(request).state["location"])):
        raise _bad(request, f"Subnetwork '{subnetwork.id}' is not in the region of the cluster.")
    if network.key in cluster_of(request).references:
        raise _bad(request, f"Network '{network.id}' is the cluster's own already.")
    return network


def _check_overlap(request: Request, wanted: list[State]) -> None:
    """Documentation "Multiple network interfaces": ranges of the interfaces of one VM must not overlap."""
    here = beside(request)
    named = [str(cluster_of(request).state.get("subnetwork")), *(str(one["subnetwork"]) for one in wanted)]
    found = [one for name in named if (one := find(here, name, SUBNETWORK)) is not None]
    taken = [(one, cidr) for one in found for _, cidr in ranges.of_subnetwork(one)]
    for (first, cidr), (second, other) in itertools.combinations(taken, 2):
        if first.key != second.key and cidr.overlaps(other):
            raise _bad(request, f"Range {cidr} of '{first.id}' overlaps with {other} of '{second.id}'.")


def _check_zones(request: Request, networks: list[Record]) -> None:
    zones = zones_of_pool(cluster_of(request), request.state)
    for one in networks:
        if rdma_zone(one) and zones != [rdma_zone(one)]:
            text = f"The network profile of '{one.id}' is for zone '{rdma_zone(one)}' only"
            raise _bad(request, f"{text}, and the pool is in {', '.join(zones)}.")


def _check_falcon(request: Request, networks: list[Record]) -> None:
    """Documentation "Run high performance computing workloads with H4D"."""
    node = block(request.state, "node_config")
    kind = machine_type(node)
    if not takes_falcon(kind):
        raise _bad(request, f"Machine type {kind} has no IRDMA network interfaces.")
    if sum(bool(rdma_zone(one)) for one in networks) > 1:
        raise _bad(request, f"Machine type {kind} has one IRDMA network interface.")
    image = str(node.get("image_type") or "COS_CONTAINERD").upper()
    if image != "COS_CONTAINERD":
        raise _bad(request, f"RDMA on {kind} needs image type COS_CONTAINERD, not {image}.")


def _check_number(request: Request, ordinary: int, rdma: int) -> None:
    kind = machine_type(block(request.state, "node_config"))
    if kind in SINGLE_INTERFACE:
        raise _bad(request, f"Machine type {kind} has one network interface.")
    wanted = INTERFACES.get(kind)
    if wanted is None:
        if rdma:
            raise _bad(request, f"Machine type {kind} has no RDMA network interfaces.")
        return
    if (ordinary, rdma) != (wanted.ordinary - 1, wanted.rdma):
        has = f"{wanted.ordinary - 1} ordinary and {wanted.rdma} RDMA additional networks"
        raise _bad(request, f"Machine type {kind} takes {has}, not {ordinary} and {rdma}.")
