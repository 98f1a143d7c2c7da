"""Facts about node pools and the system pool, for relations."""

from typing import Any

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.catalog import TpuType
from clusterprint.derived import names, node_pools, rolls
from clusterprint.derived.durations import seconds
from clusterprint.rules._facts import Fact
from clusterprint.rules.gke._cluster_facts import foreign_key
from clusterprint.rules.gke._gpus import gpu_of
from clusterprint.rules.gke._tpus import slice_of
from clusterprint.rules.kit import Context, counted, given, listed, values

# Terraform waits at least so long for accelerators, which are scarce.
_LEAST_SECONDS = 30 * 60
_STRATEGY_SERIES = frozenset({"a3-ultra", "a4"})
# GKE keeps the rest of the memory for everything else; small machines may use less for huge pages.
_SHARE, _SHARE_OF_SMALL, _SMALL_GB = 0.8, 0.6, 30


def _tpu(pool: NodePool, _: Context) -> TpuType | bool:
    found = node_pools.tpu(pool)
    return found[0] if found else False


def _project_of_block(pool: NodePool, context: Context[Any]) -> str:
    """The other project of a block of a reservation."""
    name = pool.capacity.reservation
    if not given(name) or "/reservationBlocks/" not in name or not name.startswith("projects/"):
        return ""
    project = name.split("/")[1]
    return project if project != context.blueprint.project else ""


def _trains(pool: NodePool, _: Context) -> bool:
    """Whether nodes that nobody takes away work together: over networks of their own, or as a slice."""
    if pool.capacity.model not in ("on_demand", "reservation"):
        return False
    return node_pools.layout(pool).fabric != "none" or node_pools.nodes_per_slice(pool) > 1


def _has_workload_policy(pool: NodePool) -> bool:
    """Whether the nodes are placed by a policy of ours, which names their topology."""
    found, slices = node_pools.machine(pool), node_pools.tpu(pool)
    if slices:
        return slices[0].workload_policy_when_multi_host and node_pools.nodes_per_slice(pool) > 1
    policy = pool.placement.policy
    required = found is not None and found.workload_policy is not None and found.workload_policy.required
    return policy == "workload" or (policy is UNSET and required)


def _long_generation(pool: NodePool) -> str | bool:
    """How long the name of each generation would be, if GKE has none so long."""
    slices = node_pools.slices(pool)
    name = names.slice_pool(pool.name, slices - 1) if slices > 1 else pool.name
    length = len(name) + rolls.ADDED
    return f"{length} characters" if length > rolls.MOST else False


def _sizes(pool: NodePool, *, certain: bool) -> Any:
    """The GPU of a pool that is not known to be cut into partitions, or is known not to be."""
    gpu = gpu_of(pool)
    unsure = gpu is not None and not gpu.is_certain("partitions")
    return False if gpu is None or unsure is certain or (certain and gpu.partitions) else gpu


def _gpu_of_other_sizes(pool: NodePool, _: Context) -> Any:
    gpu = gpu_of(pool)
    return gpu if gpu and gpu.partitions and pool.gpu.partition_size not in gpu.partitions else False


def _hosts(pool: NodePool, _: Context) -> Any:
    """The slice of a pool that several machines make up."""
    found = slice_of(pool)
    return found if found and found.spans_hosts else False


def _is_topology_pool(pool: NodePool, context: Context) -> bool:
    blueprint = context.blueprint
    kueue = blueprint.workloads.kueue if isinstance(blueprint, GkeBlueprint) else UNSET
    return given(kueue) and pool.name in kueue.topology_pools


def _several_slices(pool: NodePool, _: Context) -> str:
    """The help for the nodes of several slices."""
    nodes = node_pools.nodes_per_slice(pool)
    count = pool.count if given(pool.count) else 0
    return f", or slices: {count // nodes} for several" if count % nodes == 0 else ""


def _partial_max(pool: NodePool, _: Context) -> int | bool:
    nodes = node_pools.nodes_per_slice(pool)
    return pool.autoscaling.max if given(pool.autoscaling) and pool.autoscaling.max != nodes else False


def _partial_min(pool: NodePool, _: Context) -> int | bool:
    nodes, scaling = node_pools.nodes_per_slice(pool), pool.autoscaling
    is_partial = given(scaling) and scaling.max == nodes and scaling.min not in (0, nodes)
    return scaling.min if given(scaling) and is_partial else False


def _part_of_slice(nodes: AutoCreation, _: Context) -> int | bool:
    found = slice_of(nodes)
    return nodes.max_nodes if found and nodes.max_nodes % found.nodes else False


def _edges_of_tpu(pool: NodePool, context: Context) -> int | bool:
    kind, edges = _tpu(pool, context), _edges(pool)
    return kind.dimensions if isinstance(kind, TpuType) and edges not in (0, kind.dimensions) else False


def _edges(pool: NodePool) -> int:
    return len(pool.tpu.topology.split("x")) if given(pool.tpu) else 0


def _missing_shape(pool: NodePool, context: Context) -> str:
    """The topology of a pool if the TPU has no such slice."""
    kind = _tpu(pool, context)
    if not isinstance(kind, TpuType) or not given(pool.tpu) or _edges(pool) != kind.dimensions:
        return ""
    return "" if kind.is_slice(pool.tpu.topology) else pool.tpu.topology


def _shape_advice(pool: NodePool, context: Context) -> str:
    kind, topology = _tpu(pool, context), _missing_shape(pool, context)
    assert isinstance(kind, TpuType)  # noqa: S101 - it has no such shape
    ascending = "x".join(sorted(topology.split("x"), key=int))
    if kind.is_slice(ascending):
        return f"write the edges in ascending order: {ascending}"
    cubes = f", or edges that are multiples of 4, with at most {kind.max_chips} chips"
    return f"there are {listed(kind.small_shapes, 'and')}{cubes if kind.max_cubes else ''}"


def _shape_of_others(pool: NodePool, context: Context) -> str:
    """The topology of a pool if slices of it have machines of another size."""
    kind = _tpu(pool, context)
    if not isinstance(kind, TpuType) or not given(pool.tpu) or not kind.is_slice(pool.tpu.topology):
        return ""
    return "" if kind.node_count(pool.tpu.topology, pool.machine_type) else pool.tpu.topology


def _machine_advice(pool: NodePool, context: Context) -> str:
    kind, topology = _tpu(pool, context), _shape_of_others(pool, context)
    assert isinstance(kind, TpuType)  # noqa: S101 - its slices have other machines
    machines = [name for name in kind.machines if kind.node_count(topology, name)]
    shapes = [shape for shape in kind.small_shapes if kind.node_count(shape, pool.machine_type)]
    return f"machine_type: {listed(machines)}" + (f", or topology: {listed(shapes)}" if shapes else "")


def _fitting_shape(pool: NodePool, context: Context) -> str:
    kind = _tpu(pool, context)
    shapes = kind.small_shapes if isinstance(kind, TpuType) else ()
    fitting = (each for each in shapes if kind.node_count(each, pool.machine_type))  # type: ignore[union-attr]
    return next(fitting, "...")


def _why_no_second_network(pool: NodePool, _: Context) -> str:
    machine = node_pools.machine(pool)
    if node_pools.tpu(pool):
        return "TPUs have a data network by accelerator_network_profile: auto"
    if machine is not None and machine.network.fabric != "none":
        return f"{pool.machine_type} has networks of its own, for {machine.network.fabric_in_words}"
    one = machine is not None and machine.network.max_nics == 1
    return f"{pool.machine_type} takes one network interface" if one else ""


def _without_strategy(pool: NodePool, _: Context) -> bool:
    machine = node_pools.machine(pool)
    return machine is None or machine.series not in _STRATEGY_SERIES


def _huge_pages_of_host(pool: NodePool, _: Context) -> Any:
    machine = node_pools.machine(pool)
    return machine.huge_pages_2m if machine and machine.bare_metal else UNSET


def _share_of_huge_pages(pool: NodePool, _: Context) -> float:
    machine = node_pools.machine(pool)
    return _SHARE_OF_SMALL if machine and machine.memory_gb < _SMALL_GB else _SHARE


def _huge_pages_gb(pool: NodePool) -> float:
    return pool.system.huge_pages.size_2m / 512 + pool.system.huge_pages.size_1g


def _most_huge_pages_gb(pool: NodePool, context: Context) -> Any:
    machine = node_pools.machine(pool)
    return machine.memory_gb * _share_of_huge_pages(pool, context) if machine else UNSET


def _since(pool: NodePool, *, certain: bool) -> Any:
    """Since when GKE has the machines of a pool, if that is certain, or if it is not."""
    since = catalog.gke_with(node_pools.kind(pool))
    return since if since and since.is_certain("since") is certain else False


def _own_fabric(pool: NodePool) -> str:
    machine = node_pools.machine(pool)
    return _named(machine.network.fabric) if machine else ""


def _named(network: str) -> str:
    return "" if network == "none" else network


def _several(zones: tuple[str, ...]) -> int:
    number = len(set(zones))
    return number if number > 1 else False


_MACHINE = "machine_type"
# Keeps all of GKE's programs for GPUs off a node, as the GPU operator of NVIDIA wants it.
_OWN_PLUGIN = "gke-no-default-nvidia-gpu-device-plugin"

POOL_FACTS = {
    "accelerated_type": Fact(_MACHINE, lambda pool, _: catalog.is_accelerator_prefix(pool.machine_type)),
    "asked_huge_pages": Fact("system.huge_pages", lambda pool, _: f"{round(_huge_pages_gb(pool), 1):g}"),
    "autoscaling_for_count": Fact("count", lambda pool, _: pool.count or 1),
    "bare_metal": Fact(_MACHINE, lambda pool, _: node_pools.is_bare_metal(pool)),
    "create_seconds": Fact(
        "create_timeout",
        lambda pool, _: seconds(pool.create_timeout) if given(pool.create_timeout) else UNSET,
    ),
    "default_zone": Fact("zones", lambda _, context: node_pools.default_zone(context.blueprint)),
    "device_class": Fact(_MACHINE, lambda pool, _: node_pools.device_class(pool)),
    "edges_of_tpu": Fact(_MACHINE, _edges_of_tpu),
    "has_own_plugin": Fact("node_labels", lambda pool, _: pool.node_labels.get(_OWN_PLUGIN) == "true"),
    "ends_of_fabric": Fact(
        _MACHINE, lambda pool, _: "the GPUs of its nodes" if node_pools.has_gpus(pool) else "its nodes"
    ),
    "fabric": Fact(_MACHINE, lambda pool, _: _named(node_pools.layout(pool).fabric)),
    "fitting_shape": Fact(_MACHINE, _fitting_shape),
    "foreign_disk_key": Fact("boot_disk_kms_key", foreign_key),
    "gpu_of_other_sizes": Fact(_MACHINE, _gpu_of_other_sizes),
    "gpu_of_unknown_sizes": Fact(_MACHINE, lambda pool, _: _sizes(pool, certain=False)),
    "gpudirect": Fact(_MACHINE, lambda pool, _: _named(node_pools.layout(pool).gpudirect)),
    "gpus": Fact(_MACHINE, lambda pool, _: node_pools.has_gpus(pool)),
    "hosts": Fact("tpu.topology", _hosts),
    "huge_pages_gb": Fact("system.huge_pages", lambda pool, _: _huge_pages_gb(pool)),
    "huge_pages_of_host": Fact(_MACHINE, _huge_pages_of_host),
    "is_topology_pool": Fact("health", _is_topology_pool),
    "way_to_spares": Fact(
        "health",
        lambda pool, context: (
            f"add {pool.name} to workloads.kueue.topology_pools, or remove spares"
            if isinstance(context.blueprint, GkeBlueprint)
            else "remove spares"
        ),
    ),
    "in_compute_class": Fact("name", lambda pool, context: node_pools.compute_class(context.blueprint, pool)),
    "is_count_of_slice": Fact("count", lambda pool, _: pool.count == node_pools.nodes_per_slice(pool)),
    "has_workload_policy": Fact(_MACHINE, lambda pool, _: _has_workload_policy(pool)),
    "kind": Fact(_MACHINE, lambda pool, _: node_pools.kind(pool)),
    "least_create_seconds": Fact(
        _MACHINE, lambda pool, _: _LEAST_SECONDS if node_pools.is_accelerated(pool) else UNSET
    ),
    "long_generation": Fact("name", lambda pool, _: _long_generation(pool)),
    "machine": Fact(_MACHINE, lambda pool, _: node_pools.machine(pool) or False),
    "machine_advice": Fact(_MACHINE, _machine_advice),
    "machines_since": Fact(_MACHINE, lambda pool, _: _since(pool, certain=True)),
    "machines_perhaps_since": Fact(_MACHINE, lambda pool, _: _since(pool, certain=False)),
    "managed_networks": Fact(_MACHINE, lambda pool, _: node_pools.network_profile(pool)),
    "max_surge": Fact("upgrades.max_surge", lambda pool, _: node_pools.max_surge(pool)),
    "missing_shape": Fact("tpu.topology", _missing_shape),
    "most_huge_pages_gb": Fact(_MACHINE, _most_huge_pages_gb),
    "named_zones": Fact(
        "zones", lambda pool, context: bool(pool.zones) or context.blueprint.zone is not UNSET
    ),
    "nodes_of_slice": Fact(
        "tpu.topology",
        lambda pool, _: counted(node_pools.nodes_per_slice(pool), f"{pool.machine_type} node"),
    ),
    "number_of_zones": Fact("zones", lambda pool, _: len(pool.zones)),
    "own_fabric": Fact(_MACHINE, lambda pool, _: _own_fabric(pool)),
    "part_of_slice": Fact("max_nodes", _part_of_slice),
    "partial_max": Fact("autoscaling.max", _partial_max),
    "partial_min": Fact("autoscaling.min", _partial_min),
    "project_of_block": Fact("capacity.reservation", _project_of_block),
    "rdma": Fact(_MACHINE, lambda pool, _: node_pools.layout(pool).rdma_vpcs > 0),
    "several_nodes": Fact(_MACHINE, lambda pool, context: node_pools.max_nodes(context.blueprint, pool) > 1),
    "several_slices": Fact("count", _several_slices),
    "several_zones": Fact("zones", lambda pool, _: _several(pool.zones)),
    "shape_advice": Fact(_MACHINE, _shape_advice),
    "shape_of_others": Fact("tpu.topology", _shape_of_others),
    "share_of_huge_pages": Fact(_MACHINE, _share_of_huge_pages),
    "topology_edges": Fact("tpu.topology", lambda pool, _: _edges(pool)),
    "tpu": Fact(_MACHINE, _tpu),
    "trains": Fact(_MACHINE, _trains),
    "undivided_gpu": Fact(_MACHINE, lambda pool, _: _sizes(pool, certain=True)),
    "whole_reservation": Fact(
        "capacity.reservation", lambda pool, _: pool.capacity.reservation.partition("/reservationBlocks/")[0]
    ),
    "whole_huge_pages_gb": Fact(_MACHINE, lambda pool, context: int(_most_huge_pages_gb(pool, context))),
    "why_no_second_network": Fact(_MACHINE, _why_no_second_network),
    "without_gpus": Fact(
        _MACHINE,
        lambda pool, _: (
            not node_pools.has_gpus(pool) and (node_pools.machine(pool) or node_pools.tpu(pool)) is not None
        ),
    ),
    "without_strategy": Fact(_MACHINE, _without_strategy),
    "zones_away": Fact(
        "zones",
        lambda pool, context: [
            zone for _, zone in values(pool, "zones") if zone != node_pools.default_zone(context.blueprint)
        ],
    ),
}
