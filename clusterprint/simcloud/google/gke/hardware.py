"""What machines a pool has: GPUs, TPUs, local disks, and where they are put."""

from __future__ import annotations

import math
import re
from typing import Any

from clusterprint.simcloud.cloud.behaviour import Request, State
from clusterprint.simcloud.google.gke import capacity
from clusterprint.simcloud.google.gke.places import cluster_of, zones_of_pool
from clusterprint.simcloud.google.machines import GPUS, takes_boot_disk
from clusterprint.simcloud.google.refusal import refusal
from clusterprint.simcloud.google.scheduling import block

# Documentation "Plan TPUs in GKE": the chips of a node are the number before the final t.
_TPU = re.compile(r"ct(?:4p|5lp|5p|6e)-\w+-(?P<chips>\d+)t|tpu7x-standard-(?P<newer>\d+)t")
_TOPOLOGY = re.compile(r"[1-9]\d*(?:x[1-9]\d*){1,2}")
# TPU nodes that are a slice of their own have no placement (documentation "Plan TPUs", single-host).
_ALWAYS_SINGLE = re.compile(r"ct\w+-\w+-(?:1|8)t")
# Documentation "Use compact placement policies": machines in one group.
_MOST_TOGETHER = 1500
# Cluster toolkit, gke-node-pool: flex-start with compact placement.
_FLEXIBLE_TOGETHER = ("a3-ultragpu-", "a4-", "h4d-")


def check(request: Request) -> None:
    """Refuse machines that cannot be, or not so.

    :raises ApiError: for the first mistake.
    """
    node = block(request.state, "node_config")
    _check_accelerators(request, node)
    _check_disks(request, node)
    _check_together(request, node)
    _check_features(request, node)
    _check_placement(request, node)
    _check_tpu(request, node)


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")


def is_tpu(machine_type: str) -> bool:
    """Whether nodes of the type have TPUs."""
    return _TPU.fullmatch(machine_type) is not None


def machine_type(node: State) -> str:
    """The machine type of a node."""
    return str(node.get("machine_type") or "e2-medium")


def _check_accelerators(request: Request, node: State) -> None:
    wanted = GPUS.get(machine_type(node))
    for one in node.get("guest_accelerator") or []:
        given = (one["type"], int(one["count"]))
        if wanted is not None and given != (wanted.type, wanted.count):
            has = f"{wanted.count} {wanted.type}"
            raise _bad(request, f"Machine type {machine_type(node)} has {has}, not {given[1]} {given[0]}.")
        sharing = block(one, "gpu_sharing_config")
        if sharing and int(sharing.get("max_shared_clients_per_gpu") or 0) < 2:  # noqa: PLR2004 (who shares)
            raise _bad(request, "GPU sharing needs max_shared_clients_per_gpu of at least 2.")


def _check_disks(request: Request, node: State) -> None:
    ephemeral = block(node, "ephemeral_storage_local_ssd_config").get("local_ssd_count")
    raw = block(node, "local_nvme_ssd_block_config").get("local_ssd_count")
    if ephemeral and raw:
        raise _bad(request, "Local SSDs can be ephemeral storage or raw block devices, not both.")
    disk = str(node.get("disk_type") or block(node, "boot_disk").get("disk_type") or "")
    if not takes_boot_disk(machine_type(node), disk):
        raise _bad(request, f"{disk} disk type cannot be used by {machine_type(node)} machine type.")


def _check_together(request: Request, node: State) -> None:
    """Source: documentation of the provider's arguments."""
    if node.get("secondary_boot_disks") and not block(node, "gcfs_config").get("enabled"):
        raise _bad(request, "Secondary boot disks need image streaming (gcfs_config).")
    if block(node, "fast_socket").get("enabled") and not block(node, "gvnic").get("enabled"):
        raise _bad(request, "NCCL Fast Socket needs gVNIC (gvnic).")
    image = str(node.get("image_type") or "COS_CONTAINERD").upper()
    if block(node, "gcfs_config").get("enabled") and image != "COS_CONTAINERD":
        raise _bad(request, f"Image streaming needs image type COS_CONTAINERD, not {image}.")


def _check_features(request: Request, node: State) -> None:
    cluster = cluster_of(request)
    mode = block(node, "workload_metadata_config").get("mode")
    if mode == "GKE_METADATA" and not block(cluster.state, "workload_identity_config").get("workload_pool"):
        raise _bad(request, "Workload metadata GKE_METADATA needs Workload Identity in the cluster.")
    for key in node.get("labels") or {}:
        prefix = key.rpartition("/")[0]
        if prefix.endswith(("kubernetes.io", "k8s.io")):
            raise _bad(request, f'Node label "{key}" has a reserved prefix: {prefix}.')


def _check_placement(request: Request, node: State) -> None:
    policy = block(request.state, "placement_policy")
    if not policy:
        return
    zones = zones_of_pool(cluster_of(request), request.state)
    if policy.get("type") == "COMPACT" and len(zones) > 1:
        raise _bad(request, f"Compact placement needs one zone, not {len(zones)}: {', '.join(zones)}.")
    if block(request.state, "upgrade_settings").get("strategy") == "BLUE_GREEN":
        raise _bad(request, "Compact placement does not go with the BLUE_GREEN strategy.")
    size = max(capacity.first_size(request.state), capacity.most(request.state, len(zones)) or 0)
    if size > _MOST_TOGETHER:
        raise _bad(request, f"Compact placement takes at most {_MOST_TOGETHER} nodes, not {size}.")
    if is_tpu(machine_type(node)):
        return
    if policy.get("tpu_topology"):
        raise _bad(request, f"A TPU topology needs TPUs, which {machine_type(node)} does not have.")
    if block(request.state, "queued_provisioning").get("enabled"):
        raise _bad(request, "Queued provisioning with compact placement is for TPUs only.")
    if node.get("flex_start") and not machine_type(node).startswith(_FLEXIBLE_TOGETHER):
        text = f"Flex-start with compact placement is not supported for {machine_type(node)}."
        raise _bad(request, text)


def _check_tpu(request: Request, node: State) -> None:
    match = _TPU.fullmatch(machine_type(node))
    topology = str(block(request.state, "placement_policy").get("tpu_topology") or "")
    if match is None or not topology:
        return
    if not _TOPOLOGY.fullmatch(topology):
        raise _bad(request, f"Invalid TPU topology '{topology}'.")
    if _ALWAYS_SINGLE.fullmatch(machine_type(node)):
        raise _bad(request, f"{machine_type(node)} nodes are a slice each: they take no TPU topology.")
    chips = math.prod(map(int, topology.split("x")))
    per_node = int(match["chips"] or match["newer"])
    if chips % per_node:
        raise _bad(request, f"Topology {topology} has {chips} chips, which is no multiple of {per_node}.")
    _check_slice(request, topology, chips // per_node)


def _check_slice(request: Request, topology: str, nodes: int) -> None:
    """A pool is one slice: all of its nodes, or none."""
    zones = len(zones_of_pool(cluster_of(request), request.state))
    static = capacity.first_size(request.state) * zones
    greatest = capacity.most(request.state, zones)
    if greatest is not None and greatest != nodes:
        raise _bad(request, f"Topology {topology} needs {nodes} nodes, but autoscaling allows {greatest}.")
    if static not in (0, nodes) or (greatest is None and not static):
        raise _bad(request, f"Topology {topology} needs {nodes} nodes, not {static}.")
