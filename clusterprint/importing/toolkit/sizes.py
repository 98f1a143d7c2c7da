"""Numbers of nodes of a pool, and its zones."""

from ipaddress import ip_network
from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit.fabric import policy_of
from clusterprint.importing.toolkit.module import Module

_MOST_NODES = 1000
#: Where several pools may grow without a limit of their own, they share what one would have.
SHARED_NODES = 100
_ZONES = 3
_CLUSTER = "scheduler/gke-cluster"
# Addresses that a node takes for its pods at most, and nodes besides those of pools.
_ADDRESSES, _OTHER_NODES = 128, 16


def zones_of(module: Module, machine_type: str) -> list[str]:
    """Where the nodes are: those of a regional cluster are in three zones by default."""
    zones = module.texts("zones")
    clusters = module.deployment.of(_CLUSTER)
    if zones or any(each.get("cluster_availability_type") == "ZONAL" for each in clusters):
        return zones
    region = str(module.deployment.work.data.get("region", ""))
    there = catalog.zone_names(region)
    known = catalog.zones_of(machine_type)
    usual = [each for each in there if len(each.rpartition("-")[2]) == 1]  # those for AI have longer names
    found = [each for each in usual if known is None or each in known][:_ZONES]
    if len(found) > 1:
        module.deployment.work.decide(
            f"pool {module.id} names no zones; those of a regional cluster are three, here {', '.join(found)}"
        )
    return found


def size(module: Module, found: dict[str, Any], machine_type: str) -> None:
    """Write the slice, the number of nodes, or between what numbers the pool grows."""
    topology = _topology(module)
    if topology:
        found["tpu"] = {"topology": topology}
        module.into(found["tpu"], "num_slices", "slices")
        _nodes_of_slice(module, machine_type, str(topology))
        return
    module.into(found, "static_node_count", "count")
    if "count" in found:
        if isinstance(found["count"], int) and len(found.get("zones", ())) > 1:
            found["count"] *= len(found["zones"])  # it is that of each zone there
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
    return next((policy_of(each).get("accelerator_topology") for each in policies(module)), None)


def policies(module: Module) -> list[Module]:
    """The policies that a pool uses."""
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
    most = _MOST_NODES if len(open_ended) == 1 else SHARED_NODES
    most = max(1, min(most, _room(module.deployment.work.data) // max(1, len(open_ended))))
    module.deployment.work.decide(f"pool {module.id} names no limit; it grows up to {most} nodes")
    return most


def _room(data: dict[str, Any]) -> int:
    """How many nodes the range for pods has addresses for."""
    try:
        pods = ip_network(data.get("network", {}).get("pod_cidr", "10.0.0.0/8"), strict=False)
    except ValueError:  # which `validate` says better
        return _MOST_NODES
    return pods.num_addresses // _ADDRESSES - _OTHER_NODES
