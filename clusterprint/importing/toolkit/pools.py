"""`compute/gke-node-pool`."""

from copy import deepcopy
from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit.disks import pool_of
from clusterprint.importing.toolkit.expressions import modules_in
from clusterprint.importing.toolkit.fabric import DATA_NETWORKS, claims, names_of_networks, policy_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part
from clusterprint.importing.toolkit.shape import accelerator, disk, label, smt
from clusterprint.importing.toolkit.sizes import SHARED_NODES, policies, size, zones_of

_LONGEST = 39
_DRIVERS = {"DEFAULT": "default", "LATEST": "latest", "INSTALLATION_DISABLED": "none"}
_OWN_TAINTS = ("nvidia.com/gpu", "google.com/tpu")
# What Cluster Toolkit means by scheduling that knows of NUMA nodes.
_NUMA = {
    "cpu_manager": "static",
    "memory_manager": "static",
    "topology_manager": {"policy": "restricted"},
}


def pool(module: Module) -> None:
    """A pool of nodes, or several that are alike."""
    machine_type = str(module.get("machine_type", "c2-standard-60"))
    work = module.deployment.work
    name = label(str(module.get("name", module.id)), _LONGEST)
    found: dict[str, Any] = {"name": name, "machine_type": machine_type}
    if zones := zones_of(module, machine_type):
        found["zones"] = zones
    size(module, found, machine_type)
    found |= {"capacity": each} if (each := capacity(module)) else {}
    found |= {"boot_disk": each} if (each := _boot_disk(module, machine_type)) else {}
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
        found["autoscaling"] = {"max": SHARED_NODES}
        module.deployment.work.append(module.line("enable_pathways_for_tpus"), ("node_pools",), found)
        module.deployment.work.decide(
            "Pathways has the pool cpu-np for the heads of its jobs; Kueue counts it"
        )


def _boot_disk(module: Module, machine_type: str) -> dict[str, Any]:
    found = disk(module, machine_type)
    if within := pool_of(module, str(found.get("type", "hyperdisk-balanced"))):
        found["pool"] = within
    return found


def _copies(module: Module, found: dict[str, Any]) -> list[dict[str, Any]]:
    """One pool, or as many as there are to be, numbered."""
    count = module.get("num_node_pools", 1)
    if count == 1:
        return [found]
    if not isinstance(count, int) or not 1 < count <= SHARED_NODES:
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
        if not flexible:
            module.deployment.work.decide(f"nodes of {module.id}, which are queued for, are flex-start nodes")
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
    for each in policies(module):
        policy = policy_of(each)
        distance = policy.get("max_topology_distance")
        if distance and machine and machine.workload_policy:
            words = str(distance).lower()
            found["placement"] = {"policy": "workload", "max_topology_distance": words}
        elif distance:
            policy.lose("max_topology_distance", distance, f"({distance}): {machine_type} has no such policy")


def _networks(module: Module, found: dict[str, Any], machine_type: str) -> None:
    slices = catalog.tpu_type_of(machine_type)
    is_tpu = slices is not None and bool(slices.machines[machine_type].device_class)
    if module.on("enable_dranet") and (is_tpu or machine_type.startswith(DATA_NETWORKS)):
        found["accelerator_network_profile"] = "auto"
        claims(module)
    elif is_tpu and module.says("additional_networks"):
        found["accelerator_network_profile"] = "auto"
        module.follows("GKE makes the data network of TPUs", "additional_networks")
    elif machine_type.startswith(DATA_NETWORKS):
        names_of_networks(module, machine_type)
    if is_tpu or machine_type.startswith(DATA_NETWORKS):
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
    machine = catalog.machine(machine_type)
    if gpus is not None or (machine and machine.gpus):
        found["gpu"] = _gpu(gpus or Part(module.deployment, (module.source, module.place), module.id, {}))
    threads = smt(module, machine_type, module.get("threads_per_core"))
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
    driver = installed.get("gpu_driver_version", "DEFAULT")
    if driver in _DRIVERS:
        gpu["driver"] = _DRIVERS[driver]
    else:
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
        gkes = [key for key in labels.names if key in catalog.reserved_keys().labels]
        labels.follows("GKE labels nodes by what they are", *gkes)
        if own := {key: labels.get(key) for key in labels.names if key not in gkes}:
            found["node_labels"] = own
    module.into(found, "image_type", "image_type", lambda text: str(text).lower())
    module.into(found, "auto_repair", "auto_repair")
    module.into(found, "max_pods_per_node", "max_pods_per_node")
    module.into(found, "enable_secure_boot", "secure_boot")
    module.into(found, "timeout_create", "create_timeout")
    module.lost("host_maintenance_interval", "the Terraform provider google does not send it")
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
    channel = module.deployment.work.data.get("cluster", {}).get("release_channel", "regular")
    if module.on("auto_upgrade") is (channel == "none"):
        how = "never" if channel == "none" else "always"
        module.deployment.work.decide(
            f"nodes of pool {module.id} are {how} upgraded automatically, as release channel {channel} says; "
            f"auto_upgrade was {str(channel == 'none').lower()}"
        )
    module.follows("nothing runs on the machine that deploys", "run_workload_script")
    module.follows("NCCL's plug-in comes with the machines that need it", "install_gpu_direct_manifests")
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
