"""`compute/gke-node-pool`."""

from copy import deepcopy
from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit.disks import pool_of
from clusterprint.importing.toolkit.expressions import modules_in
from clusterprint.importing.toolkit.fabric import DATA_NETWORKS, policy_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part
from clusterprint.importing.toolkit.shape import accelerator, disk, label, smt

_LONGEST = 39
_MOST_NODES = 1000
# Where several pools may grow without a limit of their own, they share what one would have.
_SHARED_NODES = 100
_DRIVERS = {"DEFAULT": "default", "LATEST": "latest", "INSTALLATION_DISABLED": "none"}
_OWN_TAINTS = ("nvidia.com/gpu", "google.com/tpu")
# What Cluster Toolkit means by scheduling that knows of NUMA nodes.
_NUMA = {
    "cpu_manager": "static",
    "memory_manager": "static",
    "topology_manager": {"policy": "restricted"},
}
_NODES = "the nodes of a slice follow from its topology"


def pool(module: Module) -> None:
    """A pool of nodes, or several that are alike."""
    machine_type = str(module.get("machine_type", "c2-standard-60"))
    work = module.deployment.work
    name = label(str(module.get("name", module.id)), _LONGEST)
    found: dict[str, Any] = {"name": name, "machine_type": machine_type}
    _size(module, found, machine_type)
    found |= {"capacity": each} if (each := capacity(module)) else {}
    module.into(found, "zones", "zones")
    found |= {"boot_disk": each} if (each := _boot_disk(module)) else {}
    _hardware(module, found, machine_type)
    _placement(module, found, machine_type)
    _kubernetes(module, found)
    _networks(module, found, machine_type)
    module.follows("names follow from the cluster's", "cluster_id", "internal_ghpc_module_id")
    _upgraded(module, found)
    for copy in _copies(module, found):
        work.append(module.at, ("node_pools",), copy)


def pathways(module: Module) -> None:
    """The pool that Cluster Toolkit makes with a cluster for Pathways: for the heads of its jobs."""
    if module.on("enable_pathways_for_tpus"):
        found: dict[str, Any] = {"name": "cpu-np", "machine_type": "n4-standard-64"}
        module.into(found, "system_node_pool_zones", "zones")
        found["autoscaling"] = {"max": _SHARED_NODES}
        module.deployment.work.append(module.line("enable_pathways_for_tpus"), ("node_pools",), found)
        module.deployment.work.decide(
            "Pathways has the pool cpu-np for the heads of its jobs; Kueue counts it"
        )


def _boot_disk(module: Module) -> dict[str, Any]:
    found = disk(module)
    if within := pool_of(module, str(found.get("type", "hyperdisk-balanced"))):
        found["pool"] = within
    return found


def _copies(module: Module, found: dict[str, Any]) -> list[dict[str, Any]]:
    """One pool, or as many as there are to be, numbered."""
    count = module.get("num_node_pools", 1)
    if count == 1:
        return [found]
    if not isinstance(count, int) or not 1 < count <= _SHARED_NODES:
        module.lost("num_node_pools", f"{count} is not a number of pools")
        return [found]
    name = found["name"][: _LONGEST - len(str(count)) - 1]
    return [{**deepcopy(found), "name": f"{name}-{number}"} for number in range(count)]


def capacity(module: Module) -> dict[str, Any]:
    """How the nodes are paid for. What is said of another way is left, and told."""
    seconds = module.get("max_run_duration")
    limit = {"max_run_duration": f"{seconds}s"} if seconds is not None else {}
    flexible = module.on("enable_flex_start")
    if module.on("enable_queued_provisioning"):
        return {"model": "flex_start", "queued": True, **limit}
    if flexible:
        return {"model": "flex_start", **limit}
    if module.on("spot"):
        return {"model": "spot", **limit}
    affinity = module.part("reservation_affinity")
    kind = affinity.get("consume_reservation_type")
    if kind == "SPECIFIC_RESERVATION":
        first = next(iter(affinity.parts("specific_reservations")), None)
        name = first.get("name") if first else None
        project = first.get("project") if first else None
        if name and project:
            name = f"projects/{project}/reservations/{name}"
        return {"model": "reservation", "reservation": name, **limit}
    affinity.same("consume_reservation_type", "NO_RESERVATION")
    return limit


def _size(module: Module, found: dict[str, Any], machine_type: str) -> None:
    topology = _topology(module)
    if topology:
        found["tpu"] = {"topology": topology}
        module.into(found["tpu"], "num_slices", "slices")
        _nodes_of_slice(module, machine_type, str(topology))
        return
    module.into(found, "static_node_count", "count")
    if "count" in found:
        return  # limits of a pool that does not grow are left, and told
    least = module.get("autoscaling_total_min_nodes", 0)
    most = module.get("autoscaling_total_max_nodes")
    if most is None and (per_zone := module.get("autoscaling_max_node_count")) is not None:
        least, most = module.get("autoscaling_min_node_count", 0), per_zone
        found["autoscaling"] = {"min": least, "max": most, "per_zone": True}
        return
    found["autoscaling"] = {"min": least, "max": _most(module) if most is None else most}


def _topology(module: Module) -> Any:
    """The shape of a slice: of the pool's placement, its own, or of the policy that it uses."""
    asked = module.part("placement_policy").get("tpu_topology") or module.get("tpu_topology")
    if asked or not catalog.tpu_type_of(str(module.get("machine_type"))):
        return asked
    return next((policy_of(each).get("accelerator_topology") for each in _policies(module)), None)


def _policies(module: Module) -> list[Module]:
    return [*module.uses("compute/resource-policy")]


def _nodes_of_slice(module: Module, machine_type: str, topology: str) -> None:
    """Numbers of nodes that a slice has anyway are the same; other numbers are told."""
    kind = catalog.tpu_type_of(machine_type)
    nodes = kind.node_count(topology, machine_type) if kind else None
    for name in ("static_node_count", "autoscaling_total_max_nodes", "autoscaling_max_node_count"):
        module.same(name, nodes, why=f"a slice of {topology} has {nodes} nodes")
    for name in ("autoscaling_total_min_nodes", "autoscaling_min_node_count"):
        module.same(name, 0, nodes, why=f"a slice has {nodes} nodes or none")


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


def _placement(module: Module, found: dict[str, Any], machine_type: str) -> None:
    part = module.part("placement_policy")
    kind = part.get("type")
    machine = catalog.machine(machine_type)
    part.raw("tpu_topology")
    if kind == "COMPACT" and "tpu" not in found:
        if machine and machine.compact_placement and "count" in found:
            found["placement"] = {"policy": "compact"}
        else:
            part.lose("type", kind, f"({kind}): such nodes are not placed together on request")
    elif kind is not None and not (kind == "COMPACT" and "tpu" in found):
        part.lose("type", kind)
    for each in _policies(module):
        policy = policy_of(each)
        distance = policy.get("max_topology_distance")
        if distance and machine and machine.workload_policy:
            words = str(distance).lower()
            found["placement"] = {"policy": "workload", "max_topology_distance": words}
        elif distance:
            policy.lose("max_topology_distance", distance, f"({distance}): {machine_type} has no such policy")


def _networks(module: Module, found: dict[str, Any], machine_type: str) -> None:
    if machine_type.startswith(DATA_NETWORKS):
        module.follows("networks of pools come with their machines", "additional_networks")
        module.follows("pods get GPU networks as devices", "enable_dranet")
        return
    slices = catalog.tpu_type_of(machine_type)
    if slices and slices.machines[machine_type].device_class:
        if module.says("additional_networks") or module.get("enable_dranet"):
            found["accelerator_network_profile"] = "auto"
        module.follows("GKE makes the data network of TPUs", "additional_networks", "enable_dranet")
        return
    _second_network(module, found, machine_type)
    module.off("enable_dranet")


def _second_network(module: Module, found: dict[str, Any], machine_type: str) -> None:
    """One network more is a switch; others, and one of another file, have no counterpart."""
    if not module.says("additional_networks"):
        return
    named = modules_in(module.refers("additional_networks"))
    more = [each.id for each in module.deployment.modules if each.id in named and each.kind == "network/vpc"]
    if len(more) != 1 or len(named) != 1:
        module.lost("additional_networks", f"{machine_type} gets no further network but one of this file")
        return
    found["second_network"] = True


def _hardware(module: Module, found: dict[str, Any], machine_type: str) -> None:
    gpus = accelerator(module, machine_type, found)
    gpu = _gpu(gpus) if gpus is not None else {}
    if gpu:
        found["gpu"] = gpu
    threads = smt(module, machine_type, off_by_default=False)
    if threads is not None:
        found["threads_per_core"] = threads
    for setting, mode in (
        ("local_ssd_count_ephemeral_storage", "ephemeral"),
        ("local_ssd_count_nvme_block", "raw"),
    ):
        if (count := module.get(setting)) is not None:
            found["local_ssd"] = {"count": count, "mode": mode}
    pages = module.part("linux_node_config").part("hugepages_config")
    system = dict(_NUMA) if module.on("enable_numa_aware_scheduling") else {}
    sizes = {
        key: count
        for key, theirs in (("size_2m", "hugepage_size_2m"), ("size_1g", "hugepage_size_1g"))
        if (count := pages.get(theirs)) is not None
    }
    system |= {"huge_pages": sizes} if sizes else {}
    if system:
        found["system"] = system


def _gpu(gpus: Part) -> dict[str, Any]:
    gpu: dict[str, Any] = {}
    installed = gpus.part("gpu_driver_installation_config")
    driver = installed.get("gpu_driver_version")
    if driver in _DRIVERS:
        gpu["driver"] = _DRIVERS[driver]
    elif driver is not None:
        installed.lose("gpu_driver_version", driver)
    sharing = gpus.part("gpu_sharing_config")
    if strategy := sharing.get("gpu_sharing_strategy"):
        clients = sharing.get("max_shared_clients_per_gpu", 2)
        gpu["sharing"] = {"strategy": str(strategy).lower(), "max_clients": clients}
    if size := gpus.get("gpu_partition_size"):
        gpu["partition_size"] = size
    return gpu


def _kubernetes(module: Module, found: dict[str, Any]) -> None:
    labels = module.part("kubernetes_labels")
    if labels:
        found["node_labels"] = {key: labels.get(key) for key in labels.names}
    module.into(found, "image_type", "image_type", lambda text: str(text).lower())
    module.into(found, "auto_repair", "auto_repair")
    module.into(found, "max_pods_per_node", "max_pods_per_node")
    module.into(found, "enable_secure_boot", "secure_boot")
    module.into(found, "timeout_create", "create_timeout")
    if interval := module.get("host_maintenance_interval"):
        found["host_maintenance"] = str(interval).lower()
    taints = [_taint(each) for each in module.parts("taints")]
    found |= {"taints": kept} if (kept := [each for each in taints if each["key"] not in _OWN_TAINTS]) else {}
    if len(kept) < len(taints):
        module.follows("pools of accelerators have their taints anyway", "taints")


def _taint(part: Part) -> dict[str, str]:
    effect = str(part.get("effect", "NO_SCHEDULE")).lower()
    return {"key": str(part.get("key")), "value": _word(part.get("value", "")), "effect": effect}


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _upgraded(module: Module, found: dict[str, Any]) -> None:
    """How nodes are upgraded; whether they are, is the release channel's."""
    module.follows("nodes are upgraded as the release channel says", "auto_upgrade")
    module.follows("images are streamed in all pools or in none: cluster.image_streaming", "enable_gcfs")
    upgrades = module.part("upgrade_settings")
    if upgrades:
        found["upgrades"] = {
            "strategy": str(upgrades.get("strategy", "SURGE")).lower(),
            **{
                key: count
                for key in ("max_surge", "max_unavailable")
                if (count := upgrades.get(key)) is not None
            },
        }
