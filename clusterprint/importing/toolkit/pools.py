"""`compute/gke-node-pool`."""

from typing import Any

from clusterprint import catalog
from clusterprint.importing.source import map_in, maps_in
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import accelerator, disk, label, smt

_LONGEST = 39
_MOST_NODES = 1000
# Where several pools may grow without a limit of their own, they share what one would have.
_SHARED_NODES = 100
_DRIVERS = {"DEFAULT": "default", "LATEST": "latest", "INSTALLATION_DISABLED": "none"}
# Machines whose further networks belong to their GPUs, and come with them.
_WITH_NETWORKS = ("a3-", "a4-", "a4x-")


def pool(module: Module) -> None:
    """A pool of nodes."""
    machine_type = str(module.get("machine_type", "c2-standard-60"))
    work = module.deployment.work
    found: dict[str, Any] = {
        "name": label(str(module.get("name", module.id)), _LONGEST),
        "machine_type": machine_type,
    }
    _size(module, found, machine_type)
    found |= {"capacity": each} if (each := capacity(module)) else {}
    module.into(found, "zones", "zones")
    found |= {"boot_disk": each} if (each := disk(module)) else {}
    _hardware(module, found, machine_type)
    _kubernetes(module, found)
    module.follows(
        "project_id", "cluster_id", "labels", "auto_upgrade", "internal_ghpc_module_id", "enable_gcfs"
    )
    module.follows("num_node_pools")
    if machine_type.startswith(_WITH_NETWORKS):
        module.follows("additional_networks", "enable_dranet")
    work.append(module.at, ("node_pools",), found)


def capacity(module: Module) -> dict[str, Any]:
    """How the nodes are paid for."""
    affinity = module.get("reservation_affinity")
    seconds = module.get("max_run_duration")
    limit = {"max_run_duration": f"{seconds}s"} if seconds is not None else {}
    if module.get("enable_flex_start", default=False):
        return {
            "model": "flex_start",
            **limit,
            **({"queued": True} if module.get("enable_queued_provisioning") else {}),
        }
    if module.get("enable_queued_provisioning"):
        return {"model": "flex_start", "queued": True, **limit}
    if module.get("spot", default=False):
        return {"model": "spot", **limit}
    if isinstance(affinity, dict) and affinity.get("consume_reservation_type") == "SPECIFIC_RESERVATION":
        first = next(iter(maps_in(affinity.get("specific_reservations"))), {})
        name = first.get("name")
        if name and first.get("project"):
            name = f"projects/{first['project']}/reservations/{name}"
        return {"model": "reservation", "reservation": name}
    return {}


def _size(module: Module, found: dict[str, Any], machine_type: str) -> None:
    placement = module.map("placement_policy")
    topology = placement.get("tpu_topology") or module.get("tpu_topology")
    if topology:
        found["tpu"] = {"topology": topology}
        module.into(found["tpu"], "num_slices", "slices")
        module.follows("static_node_count", "autoscaling_total_max_nodes", "autoscaling_total_min_nodes")
        return
    module.into(found, "static_node_count", "count")
    if placement.get("type") == "COMPACT" and "count" in found:
        machine = catalog.machine(machine_type)
        if machine and machine.compact_placement:
            found["placement"] = {"policy": "compact"}
    if "count" in found:
        module.follows("autoscaling_total_max_nodes", "autoscaling_total_min_nodes", "initial_node_count")
        return
    most = module.get("autoscaling_total_max_nodes")
    if most is None:
        most = _most(module)
    found["autoscaling"] = {"min": module.get("autoscaling_total_min_nodes", 0), "max": most}


def _most(module: Module) -> int:
    open_ended = [
        each
        for each in module.deployment.modules
        if each.kind == module.kind
        and not {"static_node_count", "autoscaling_total_max_nodes"} & {*each.settings}
    ]
    most = _MOST_NODES if len(open_ended) == 1 else _SHARED_NODES
    module.deployment.work.decide(f"pool {module.id} names no limit; it grows up to {most} nodes")
    return most


def _hardware(module: Module, found: dict[str, Any], machine_type: str) -> None:
    gpus = accelerator(module, machine_type)
    if "attached" in gpus:
        found["guest_accelerator"] = gpus["attached"]
    gpu: dict[str, Any] = {}
    driver = map_in(gpus.get("gpu_driver_installation_config")).get("gpu_driver_version")
    if isinstance(driver, str) and driver in _DRIVERS:
        gpu["driver"] = _DRIVERS[driver]
    sharing = map_in(gpus.get("gpu_sharing_config"))
    if sharing.get("gpu_sharing_strategy"):
        clients = sharing.get("max_shared_clients_per_gpu", 2)
        gpu["sharing"] = {"strategy": str(sharing["gpu_sharing_strategy"]).lower(), "max_clients": clients}
    if gpus.get("gpu_partition_size"):
        gpu["partition_size"] = gpus["gpu_partition_size"]
    if gpu:
        found["gpu"] = gpu
    threads = smt(module, machine_type, off_by_default=False)
    if threads is not None:
        found["threads_per_core"] = threads
    for setting, mode in (
        ("local_ssd_count_ephemeral_storage", "ephemeral"),
        ("local_ssd_count_nvme_block", "raw"),
    ):
        if count := module.get(setting):
            found["local_ssd"] = {"count": count, "mode": mode}


def _kubernetes(module: Module, found: dict[str, Any]) -> None:
    module.into(found, "kubernetes_labels", "node_labels")
    module.into(found, "image_type", "image_type", lambda text: str(text).lower())
    module.into(found, "auto_repair", "auto_repair")
    module.into(found, "max_pods_per_node", "max_pods_per_node")
    module.into(found, "enable_secure_boot", "secure_boot")
    module.into(found, "host_maintenance_interval", "host_maintenance", lambda text: str(text).lower())
    taints = [
        {
            "key": each.get("key"),
            "value": str(each.get("value", "")),
            "effect": str(each.get("effect", "NO_SCHEDULE")).lower(),
        }
        for each in module.maps("taints")
        if each.get("key") not in ("nvidia.com/gpu", "google.com/tpu")
    ]
    if taints:
        found["taints"] = taints
    upgrades = module.map("upgrade_settings")
    if upgrades:
        keys = ("max_surge", "max_unavailable")
        found["upgrades"] = {
            "strategy": str(upgrades.get("strategy", "SURGE")).lower(),
            **{key: upgrades[key] for key in keys if upgrades.get(key) is not None},
        }
