"""How a pool gets its nodes: how many, on which terms, and what these exclude.

Sources where no other is named: documentation of GKE ("About flex-start"), REST reference of
node pools, and the preconditions of the cluster toolkit's gke-node-pool module.
"""

from __future__ import annotations

import re
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.google.gke.places import cluster_of, zones_of_pool
from clusterprint_simcloud.google.gke.versions import channel_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block

_RESERVATION = re.compile(
    r"(?:projects/[^/]+/reservations/)?[a-z][-a-z0-9]*"
    r"(?P<block>/reservationBlocks/[^/]+(?:/reservationSubBlocks/[^/]+)?)?"
)
_RESERVATION_KEY = "compute.googleapis.com/reservation-name"
_RESERVED = ("ANY_RESERVATION", "SPECIFIC_RESERVATION")
_LONGEST_RUN = 604800  # seconds: seven days
_PER_ZONE = ("min_node_count", "max_node_count")
_TOTAL = ("total_min_node_count", "total_max_node_count")


def first_size(state: State) -> int:
    """How many nodes per zone a pool begins with."""
    scaling = block(state, "autoscaling")
    for size in (state.get("node_count"), state.get("initial_node_count"), scaling.get("min_node_count")):
        if size is not None:
            return int(size)
    return 0


def most(state: State, zones: int) -> int | None:
    """How many nodes a pool may have in all, None for a pool without autoscaling."""
    scaling = block(state, "autoscaling")
    if scaling.get("total_max_node_count"):
        return int(scaling["total_max_node_count"])
    return int(scaling["max_node_count"]) * zones if scaling.get("max_node_count") else None


def model(state: State) -> str:
    """The way in which the nodes are had."""
    node = block(state, "node_config")
    if node.get("spot") or node.get("preemptible"):
        return "spot"
    if node.get("flex_start") or block(state, "queued_provisioning").get("enabled"):
        return "flex_start"
    affinity = str(block(node, "reservation_affinity").get("consume_reservation_type") or "")
    return "reservation" if affinity in _RESERVED else "on_demand"


def check(request: Request) -> None:
    """Refuse what does not go together.

    :raises ApiError: for the first mistake.
    """
    _check_size(request)
    _check_scaling(request)
    _check_terms(request)
    _check_reservation(request)
    _check_management(request)
    _check_upgrades(request)


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")


def _check_size(request: Request) -> None:
    """Source: expandNodePool of the provider."""
    state = request.state
    if request.prior is None and state.get("node_count") and state.get("initial_node_count"):
        name = request.text("name")
        raise _bad(request, f"Cannot set both initial_node_count and node_count on node pool {name}")


def _check_scaling(request: Request) -> None:
    scaling = block(request.state, "autoscaling")
    if any(scaling.get(one) for one in _PER_ZONE) and any(scaling.get(one) for one in _TOTAL):
        text = "Both per-zone (min/max_node_count) and total (total_min/max_node_count) limits are set."
        raise _bad(request, f"{text} Only one kind can be used.")
    for least, greatest in (_PER_ZONE, _TOTAL):
        if int(scaling.get(least) or 0) > int(scaling.get(greatest) or 0):
            raise _bad(request, f"Autoscaling {least} must not be greater than {greatest}.")
    if scaling and not any(scaling.get(one) for one in (_PER_ZONE[1], _TOTAL[1])):
        raise _bad(request, "Autoscaling needs max_node_count or total_max_node_count greater than zero.")


def _check_terms(request: Request) -> None:
    node = block(request.state, "node_config")
    spot = bool(node.get("spot") or node.get("preemptible"))
    queued = bool(block(request.state, "queued_provisioning").get("enabled"))
    flexible = bool(node.get("flex_start"))
    if node.get("spot") and node.get("preemptible"):
        raise _bad(request, "Spot and preemptible cannot both be set.")
    if spot and (queued or flexible):
        raise _bad(request, "Spot VMs cannot be combined with flex-start or queued provisioning.")
    affinity = block(node, "reservation_affinity").get("consume_reservation_type")
    if (spot or queued or flexible) and affinity not in (None, "", "NO_RESERVATION", "UNSPECIFIED"):
        raise _bad(
            request, "Spot, flex-start and queued provisioning need reservation affinity NO_RESERVATION."
        )
    if queued or flexible:
        _check_on_demand_scaling(request, "Queued provisioning" if queued else "Flex-start")
    _check_duration(request, node, flexible=flexible)


def _check_on_demand_scaling(request: Request, what: str) -> None:
    scaling = block(request.state, "autoscaling")
    if not scaling:
        raise _bad(request, f"{what} needs autoscaling to be enabled.")
    if request.prior is None and first_size(request.state):
        raise _bad(request, f"{what} needs a pool that begins with zero nodes.")
    if any(scaling.get(one) for one in (_PER_ZONE[0], _TOTAL[0])):
        raise _bad(request, f"{what} needs a minimum of zero nodes.")


def _check_duration(request: Request, node: State, *, flexible: bool) -> None:
    duration = str(node.get("max_run_duration") or "")
    if duration and not re.fullmatch(r"[0-9]+s", duration):
        raise _bad(
            request, f"Invalid value for max_run_duration: '{duration}'. It must be seconds, as 3600s."
        )
    if duration and flexible and int(duration[:-1]) > _LONGEST_RUN:
        raise _bad(request, f"max_run_duration of flex-start must be at most {_LONGEST_RUN}s.")
    if flexible and block(request.state, "management").get("auto_repair") is not False:
        raise _bad(request, "Auto-repair must be off in a flex-start node pool.")


def _check_reservation(request: Request) -> None:
    affinity = block(block(request.state, "node_config"), "reservation_affinity")
    if not affinity:
        return
    key, values = affinity.get("key"), affinity.get("values") or []
    if affinity.get("consume_reservation_type") != "SPECIFIC_RESERVATION":
        if key or values:
            raise _bad(request, "Only SPECIFIC_RESERVATION takes a key and values.")
        return
    if key != _RESERVATION_KEY or len(values) != 1:
        raise _bad(request, f"SPECIFIC_RESERVATION needs the key {_RESERVATION_KEY} and exactly one value.")
    match = _RESERVATION.fullmatch(values[0])
    if match is None:
        raise _bad(request, f"Invalid reservation '{values[0]}'.")
    if match["block"] and len(zones_of_pool(cluster_of(request), request.state)) > 1:
        raise _bad(request, "A block of a reservation is in one zone: the pool must be, too.")


def _check_management(request: Request) -> None:
    channel = channel_of(cluster_of(request).state)
    off = block(request.state, "management").get("auto_upgrade") is False
    if off and channel != "UNSPECIFIED":
        raise _bad(request, f"Auto_upgrade must be true when release_channel {channel} is set.")


def _check_upgrades(request: Request) -> None:
    upgrades = block(request.state, "upgrade_settings")
    given = [upgrades.get("max_surge"), upgrades.get("max_unavailable")]
    if upgrades and upgrades.get("strategy") != "BLUE_GREEN" and given[0] == 0 and not given[1]:
        raise _bad(request, "max_surge and max_unavailable must not both be zero.")
    if upgrades.get("strategy") == "BLUE_GREEN" and any(one is not None for one in given):
        raise _bad(request, "max_surge and max_unavailable do not go with the BLUE_GREEN strategy.")
