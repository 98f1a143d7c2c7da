"""Machines of a pool: GPUs, local disks, and their placement."""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.google.gke import capacity, tpus, versions
from clusterprint_simcloud.google.gke.places import beside, cluster_of, zones_of_pool
from clusterprint_simcloud.google.instance import POLICY
from clusterprint_simcloud.google.links import find
from clusterprint_simcloud.google.machines import (
    GPUS,
    LOCAL_SSDS,
    NEVER_TOGETHER,
    PARTITIONS,
    takes_boot_disk,
    terms,
)
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block

# REST reference, GPUSharingConfig; documentation "Share GPUs with multiple workloads using GPU time-sharing".
_SHARES = (2, 48)
# Documentation "About flex-start", requirements; documentation of secondary_boot_disks.
_FLEXIBLE = ("Flex-start", "1.32.2-gke.1652000")
_FLEXIBLE_TPUS = ("Flex-start of TPUs", "1.33.0-gke.1712000")
_PRELOADED = ("A secondary boot disk", "1.28.3-gke.106700")
# Documentation of GPUs and TPUs in GKE: the first versions with machines, by the beginning of their types.
_MACHINES = {
    "a3-ultragpu-": "1.31.4-gke.1183000", "a4x-highgpu-": "1.32.8-gke.1108000",
    "a4x-maxgpu-": "1.34.3-gke.1318000", "g4-": "1.34.0-gke.1662000", "h4d-": "1.32.6-gke.1060000",
    "ct6e-": "1.31.2-gke.1115000", "tpu7x-": "1.34.0-gke.2201000",
}  # fmt: skip
# Release notes of GKE, August 25, 2026: pools of this type are refused from the first up to the second.
_BLOCKED_TYPE = "a3-highgpu-8g"
_BLOCKED = (("1.34.0-gke.0", "1.34.5-gke.1153000"), ("1.35.0-gke.0", "1.35.2-gke.1485000"))
# Documentation "About flex-start", limitations.
_NEVER_FLEXIBLE = ("ct3", "ct4p-")
# Nodes in one NVLink domain.
_RACK = 18
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
    _check_terms(request, node)
    _check_rack(request, node)
    _check_metal(request, node)
    _check_disks(request, node)
    _check_together(request, node)
    _check_features(request, node)
    _check_versions(request, node)
    _check_placement(request, node)
    tpus.check(request, machine_type(node))


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")


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
        clients = int(sharing.get("max_shared_clients_per_gpu") or 0)
        if sharing and not _SHARES[0] <= clients <= _SHARES[1]:
            raise _bad(request, f"max_shared_clients_per_gpu must be between 2 and 48, not {clients}.")
        size = str(one.get("gpu_partition_size") or "")
        if size and size not in PARTITIONS.get(one["type"], ()):
            raise _bad(request, f"GPU partition size {size} is not supported for {one['type']}.")


def _check_terms(request: Request, node: State) -> None:
    kind, model = machine_type(node), capacity.model(request.state)
    if model not in terms(kind):
        ways = " or ".join(terms(kind))
        raise _bad(request, f"Machine type {kind} can be had as {ways} only, not as {model}.")
    if model == "flex_start" and kind.startswith(_NEVER_FLEXIBLE):
        raise _bad(request, f"Flex-start is not supported for {kind}.")


def _check_rack(request: Request, node: State) -> None:
    """Documentation "Create an AI-optimized GKE cluster" with A4X: one NVLink domain for each pool."""
    if not machine_type(node).startswith("a4x-"):
        return
    zones = len(zones_of_pool(cluster_of(request), request.state))
    size = max(capacity.first_size(request.state) * zones, capacity.most(request.state, zones) or 0)
    if size > _RACK:
        raise _bad(request, f"A pool of {machine_type(node)} has at most {_RACK} nodes, not {size}.")
    name = str(block(request.state, "placement_policy").get("policy_name") or "")
    policy = find(beside(request), name, POLICY) if name else None
    if policy is None or not policy.state.get("workload_policy"):
        raise _bad(request, f"A pool of {machine_type(node)} needs a workload policy.")


def _check_metal(request: Request, node: State) -> None:
    """Documentation "Create an AI-optimized GKE cluster that uses A4X Max"."""
    kind = machine_type(node)
    if not kind.endswith("-metal"):
        return
    if request.state.get("autoscaling"):
        raise _bad(request, f"Bare metal nodes ({kind}) are not autoscaled.")
    if block(request.state, "network_config").get("additional_node_network_configs"):
        raise _bad(request, f"Multi-networking is not supported for {kind}.")
    if cluster_of(request).state.get("enable_shielded_nodes") is not False:
        raise _bad(request, f"Node pools of {kind} need a cluster without shielded nodes.")


def _check_disks(request: Request, node: State) -> None:
    ephemeral = block(node, "ephemeral_storage_local_ssd_config").get("local_ssd_count")
    raw = block(node, "local_nvme_ssd_block_config").get("local_ssd_count")
    if ephemeral and raw:
        raise _bad(request, "Local SSDs can be ephemeral storage or raw block devices, not both.")
    bundled = LOCAL_SSDS.get(machine_type(node))
    for count in (ephemeral, raw):
        if bundled is not None and count and int(count) != bundled:
            text = f"Machine type {machine_type(node)} has {bundled} local SSDs, not {int(count)}."
            raise _bad(request, text)
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


def _check_versions(request: Request, node: State) -> None:
    """The settings that are too new for a requested version; a version chosen by GKE is new enough."""
    version = versions.asked_with(request.state, cluster_of(request).state)
    tpu = tpus.is_tpu(machine_type(node))
    wanted = [(_FLEXIBLE_TPUS if tpu else _FLEXIBLE)] if node.get("flex_start") else []
    wanted += [_PRELOADED] if node.get("secondary_boot_disks") else []
    kind = machine_type(node)
    wanted += [(kind, least) for prefix, least in _MACHINES.items() if kind.startswith(prefix)]
    for first, back in _BLOCKED if version and kind == _BLOCKED_TYPE else ():
        if versions.is_older(version, back) and not versions.is_older(version, first):
            raise _bad(request, f"Node pools of {kind} are blocked in {version}: use {back} or later.")
    for what, least in wanted:
        if version and versions.is_older(version, least):
            raise _bad(request, f"{what} needs GKE {least} or later, not {version}.")


def _check_placement(request: Request, node: State) -> None:
    policy = block(request.state, "placement_policy")
    if not policy:
        return
    zones = zones_of_pool(cluster_of(request), request.state)
    if policy.get("type") == "COMPACT" and len(zones) > 1:
        raise _bad(request, f"Compact placement needs one zone, not {len(zones)}: {', '.join(zones)}.")
    if block(request.state, "upgrade_settings").get("strategy") == "BLUE_GREEN":
        raise _bad(request, "Compact placement does not go with the BLUE_GREEN strategy.")
    if policy.get("type") == "COMPACT" and machine_type(node).startswith(NEVER_TOGETHER):
        raise _bad(request, f"Compact placement is not supported for {machine_type(node)}.")
    size = max(capacity.first_size(request.state), capacity.most(request.state, len(zones)) or 0)
    if size > _MOST_TOGETHER:
        raise _bad(request, f"Compact placement takes at most {_MOST_TOGETHER} nodes, not {size}.")
    if tpus.is_tpu(machine_type(node)):
        return
    if policy.get("tpu_topology"):
        raise _bad(request, f"A TPU topology needs TPUs, which {machine_type(node)} does not have.")
    if block(request.state, "queued_provisioning").get("enabled"):
        raise _bad(request, "Queued provisioning with compact placement is for TPUs only.")
    if node.get("flex_start") and not machine_type(node).startswith(_FLEXIBLE_TOGETHER):
        text = f"Flex-start with compact placement is not supported for {machine_type(node)}."
        raise _bad(request, text)
