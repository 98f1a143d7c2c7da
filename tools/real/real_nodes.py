"""Fake nodes for a real cluster, as the pools of a cluster stack would have them; kwok keeps them ready."""

from collections.abc import Iterator, Mapping
from typing import Any

from clusterprint import catalog

#: Of a pool no more than this many: enough for any job of ours, which take a rack at most, and light.
_MOST = 18
_EFFECTS = {
    "NO_SCHEDULE": "NoSchedule",
    "NO_EXECUTE": "NoExecute",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
}


def fake_nodes(cluster: Mapping[str, Any]) -> dict[str, Any]:
    """A list of Node objects for all pools of the stack, as `kubectl apply` takes it."""
    resources = cluster.get("resource", {})
    policies = {
        f"${{google_compute_resource_policy.{key}.name}}": each.get("workload_policy", {})
        for key, each in resources.get("google_compute_resource_policy", {}).items()
    }
    pools = resources.get("google_container_node_pool", {})
    return {
        "apiVersion": "v1",
        "kind": "List",
        "items": [node for pool in pools.values() for node in _nodes(pool, policies)],
    }


def _nodes(pool: Mapping[str, Any], policies: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    placement = pool.get("placement_policy") or {}
    policy = policies.get(placement.get("policy_name", ""), {})
    topology = placement.get("tpu_topology") or policy.get("accelerator_topology", "")
    zones = pool.get("node_locations") or ["zone-a"]
    for number in range(min(_size(pool, len(zones)), _MOST)):
        yield _node(pool, f"fake-{pool['name']}-{number}", zones[number % len(zones)], topology)


def _size(pool: Mapping[str, Any], zones: int) -> int:
    """How many nodes the pool may have."""
    scaling = pool.get("autoscaling") or {}
    if "node_count" in pool:
        return int(pool["node_count"]) * zones
    return int(scaling.get("total_max_node_count") or scaling.get("max_node_count", 1) * zones)


def _node(pool: Mapping[str, Any], name: str, zone: str, topology: str) -> dict[str, Any]:
    config = pool["node_config"]
    labels = {
        "type": "kwok",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": _arch(config),
        "node.kubernetes.io/instance-type": config["machine_type"],
        **dict.fromkeys(("topology.kubernetes.io/zone", "topology.gke.io/zone"), zone),
        "topology.kubernetes.io/region": zone.rpartition("-")[0],
        "cloud.google.com/gke-nodepool": pool["name"],
        **_accelerator_labels(pool, topology),
        **config.get("labels", {}),
    }
    amounts = {key: str(each) for key, each in _amounts(config).items()}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {"kwok.x-k8s.io/node": "fake"}},
        "spec": {
            "taints": [
                {"key": each["key"], "value": each["value"], "effect": _EFFECTS[each["effect"]]}
                for each in config.get("taint", [])
            ]
        },
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def _arch(config: Mapping[str, Any]) -> str:
    machine = catalog.machine(config["machine_type"])
    return machine.architecture if machine else "amd64"


def _accelerator_labels(pool: Mapping[str, Any], topology: str) -> dict[str, str]:
    """The labels that GKE gives to nodes with GPUs and TPUs, and by which pods choose them."""
    config = pool["node_config"]
    labels = {}
    network = (pool.get("network_config") or {}).get("accelerator_network_profile")
    if network:
        labels["gke.networks.io/accelerator-network-profile"] = network
    for each in config.get("guest_accelerator", []):
        labels["cloud.google.com/gke-accelerator"] = each["type"]
    tpu = catalog.tpu_type_of(config["machine_type"])
    if tpu:
        labels["cloud.google.com/gke-tpu-accelerator"] = tpu.accelerator_label
        if topology:
            labels["cloud.google.com/gke-tpu-topology"] = topology
    return labels


def _amounts(config: Mapping[str, Any]) -> dict[str, int]:
    name = config["machine_type"]
    tpu = catalog.tpu_type_of(name)
    machine = tpu.machines[name] if tpu else catalog.machine(name)
    if machine is None or machine.vcpus is None or machine.memory_gb is None:
        raise ValueError(f"the catalog does not know how large a machine {name} is")
    amounts = {
        "cpu": machine.vcpus,
        "memory": int(machine.memory_gb * 2**30),
        "ephemeral-storage": 2**40,
        "pods": 110,
    }
    gpus = sum(int(each["count"]) for each in config.get("guest_accelerator", []))
    if gpus:
        amounts["nvidia.com/gpu"] = gpus
    if tpu:
        amounts["google.com/tpu"] = tpu.machines[name].chips
    return amounts
