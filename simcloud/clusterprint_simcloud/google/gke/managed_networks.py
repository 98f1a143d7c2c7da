"""Networks of accelerators that GKE makes itself, and hands out as devices.

Sources: documentation "Allocate network resources by using GKE managed DRANET" and "Configure automated
networking for accelerator VMs"; the labels of such pools as gcloud shows them.
"""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.google.gke import versions
from clusterprint_simcloud.google.gke.cluster_checks import ADVANCED_DATAPATH
from clusterprint_simcloud.google.gke.places import cluster_of, pools_of, zones_of_pool
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block

_SINCE = "1.34.1-gke.1829001"
_PROFILE_LABEL = "gke.networks.io/accelerator-network-profile"
_DRIVER_LABEL = "cloud.google.com/gke-networking-dra-driver"
# What the driver hands out on which machines, and how many of them where that is known.
_RDMA, _OTHER = "mrdma.google.com", "netdev.google.com"
_DEVICES: dict[str, tuple[str, int | None]] = {
    "a3-ultragpu-8g": (_RDMA, 8),
    "a4-highgpu-8g": (_RDMA, 8),
    "a4x-highgpu-4g": (_RDMA, 4),
    "a4x-maxgpu-4g-metal": (_RDMA, 8),
    "ct6e-standard-1t": (_OTHER, None),
    "ct6e-standard-4t": (_OTHER, None),
    "ct6e-standard-8t": (_OTHER, None),
    "tpu7x-standard-4t": (_OTHER, None),
}
# REST reference, GPUDirectStrategy.
_RDMA_STRATEGY = ("a3-ultragpu-", "a4-")


def profile(state: State) -> str:
    """The accelerator network profile of a pool, or an empty text."""
    return str(block(state, "network_config").get("accelerator_network_profile") or "")


def devices(state: State) -> tuple[str, int | None] | None:
    """The class of devices that nodes of a pool have for pods, and how many; None for no device."""
    node = block(state, "node_config")
    if not profile(state) or (node.get("labels") or {}).get(_DRIVER_LABEL) != "true":
        return None
    return _DEVICES.get(str(node.get("machine_type")))


def check(request: Request) -> None:
    """Refuse a profile that the pool cannot have.

    :raises ApiError: for the first mistake.
    """
    node = block(request.state, "node_config")
    kind, wanted = str(node.get("machine_type") or ""), profile(request.state)
    _check_strategy(request, str(node.get("gpudirect_strategy") or ""), kind)
    _check_neighbours(request)
    if not wanted:
        return
    if wanted != "auto":
        raise _bad(request, f"Accelerator network profile '{wanted}' does not exist.")
    if kind not in _DEVICES:
        raise _bad(request, f"Machine type {kind} takes no accelerator network profile.")
    if _own_networks(request.state):
        raise _bad(request, "Additional node networks do not go with an accelerator network profile.")
    _check_cluster(request)
    zones = zones_of_pool(cluster_of(request), request.state)
    if len(zones) > 1:
        raise _bad(request, f"An accelerator network profile needs one zone, not {', '.join(zones)}.")


def _own_networks(state: State) -> bool:
    return bool(block(state, "network_config").get("additional_node_network_configs"))


def _check_cluster(request: Request) -> None:
    cluster = cluster_of(request)
    if cluster.state.get("datapath_provider") != ADVANCED_DATAPATH:
        raise _bad(request, "An accelerator network profile needs Dataplane V2 (ADVANCED_DATAPATH).")
    version = versions.asked_with(request.state, cluster.state)
    if version and versions.is_older(version, _SINCE):
        raise _bad(request, f"An accelerator network profile needs GKE {_SINCE} or later, not {version}.")


def _check_neighbours(request: Request) -> None:
    """The driver and multi-networking would both take the interfaces of one cluster's nodes."""
    pools = pools_of(request.contents, cluster_of(request))
    states = [request.state, *(one.state for one in pools if one.id != request.identity)]
    managed = [one for one in states if profile(one)]
    own = [one for one in states if _own_networks(one)]
    if managed and own:
        names = f"{managed[0]['name']} and {own[0]['name']}"
        raise _bad(request, f"Pools {names}: DRANET does not go with multi-networking in one cluster.")


def _check_strategy(request: Request, strategy: str, kind: str) -> None:
    if not strategy:
        return
    if strategy != "RDMA" or not kind.startswith(_RDMA_STRATEGY):
        raise _bad(request, f"GPUDirect strategy {strategy} is not supported for {kind}.")
    if not profile(request.state):
        raise _bad(request, f"GPUDirect strategy {strategy} needs an accelerator network profile.")


def add_label(request: Request) -> None:
    """GKE adds a label of its own to those of the pool."""
    wanted = profile(request.state)
    if wanted:
        node = block(request.record.state, "node_config")
        node["labels"] = {**(node.get("labels") or {}), _PROFILE_LABEL: wanted}


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")
