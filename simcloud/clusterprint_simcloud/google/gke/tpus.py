"""TPU slices: which topologies there are, and how many nodes each of them has.

Sources: documentation "Plan TPUs in GKE"; topologies of the cluster toolkit and of XPK.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.google.gke import capacity
from clusterprint_simcloud.google.gke.places import cluster_of, zones_of_pool
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block

# The chips of a node are the number before the final t.
_MACHINE = re.compile(r"(?P<family>ct4p|ct5lp|ct5p|ct6e|tpu7x)-\w+-(?P<chips>\d+)t")
_TOPOLOGY = re.compile(r"[1-9]\d*(?:x[1-9]\d*){1,2}")
_FLAT = frozenset({"1x1", "2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16"})
_SMALL_CUBES = frozenset({"2x2x1", "2x2x2", "2x2x4", "2x4x4"})
_EDGE = 4  # of the cubes that larger slices are made of
# Nodes that are a slice of their own whatever is asked for.
_ALWAYS_SINGLE = frozenset({1, 8})


@dataclass(frozen=True)
class Family:
    """One generation: its slices are flat, or made of so many cubes at most."""

    cubes: int = 0

    @property
    def dimensions(self) -> int:
        """Of a topology."""
        return 3 if self.cubes else 2

    def has(self, topology: str) -> bool:
        """Whether there are slices of the topology."""
        sides = [int(one) for one in topology.split("x")]
        if len(sides) != self.dimensions:
            return False
        if not self.cubes:
            return topology in _FLAT
        if topology in _SMALL_CUBES:
            return True
        whole = all(side % _EDGE == 0 for side in sides)
        return whole and math.prod(side // _EDGE for side in sides) <= self.cubes


_FAMILIES = {
    "ct4p": Family(64), "ct5lp": Family(), "ct5p": Family(140), "ct6e": Family(), "tpu7x": Family(144),
}  # fmt: skip


def is_tpu(machine_type: str) -> bool:
    """Whether nodes of the type have TPUs."""
    return _MACHINE.fullmatch(machine_type) is not None


def chips(machine_type: str) -> int:
    """How many chips a node of a TPU type has."""
    match = _MACHINE.fullmatch(machine_type)
    return int(match["chips"]) if match else 0


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")


def check(request: Request, machine_type: str) -> None:
    """Refuse slices that do not exist, or whose nodes the pool does not have.

    :raises ApiError: for the first mistake.
    """
    match = _MACHINE.fullmatch(machine_type)
    topology = str(block(request.state, "placement_policy").get("tpu_topology") or "")
    if match is None or not topology:
        return
    if not _TOPOLOGY.fullmatch(topology):
        raise _bad(request, f"Invalid TPU topology '{topology}'.")
    total, per_node = math.prod(map(int, topology.split("x"))), int(match["chips"])
    if per_node in _ALWAYS_SINGLE:
        raise _bad(request, f"{machine_type} nodes are a slice each: they take no TPU topology.")
    if not _FAMILIES[match["family"]].has(topology):
        raise _bad(request, f"There is no topology {topology} of {machine_type} nodes.")
    if total % per_node:
        raise _bad(request, f"Topology {topology} has {total} chips, which is no multiple of {per_node}.")
    _check_slice(request, topology, total // per_node)


def _check_slice(request: Request, topology: str, nodes: int) -> None:
    """A pool is one slice: all of its nodes, or none.

    Limits are those of its zone, and nothing is balanced. Sources: vllm-project/ci-infra pull request 545,
    with the text of GKE; the cluster toolkit's gke-node-pool module.
    """
    scaling = block(request.state, "autoscaling")
    if nodes > 1 and scaling:
        if not scaling.get("max_node_count"):
            text = f"Maximum node count 0 is not a valid size of TPU pod slice with topology {topology}."
            raise _bad(request, text)
        if scaling.get("location_policy", "BALANCED") != "ANY":
            raise _bad(request, f"A TPU pod slice with topology {topology} needs location policy ANY.")
    zones = len(zones_of_pool(cluster_of(request), request.state))
    static = capacity.first_size(request.state) * zones
    greatest = capacity.most(request.state, zones)
    if greatest is not None and greatest != nodes:
        raise _bad(request, f"Topology {topology} needs {nodes} nodes, but autoscaling allows {greatest}.")
    if static not in (0, nodes) or (greatest is None and not static):
        raise _bad(request, f"Topology {topology} needs {nodes} nodes, not {static}.")
