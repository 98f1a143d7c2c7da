"""Facts about a node pool's machines, its zones, and its possible numbers of nodes.

The same answers for rules, which compare them with what was written, and for resolve, which builds on them.
"""

from typing import Literal

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool, SystemPool
from clusterprint.catalog import Machine, NetworkLayout, TpuMachine, TpuType, network_layout
from clusterprint.derived import auto_creation
from clusterprint.derived.cluster_ranges import pod_addresses

#: The name of the small pool for what is no workload.
SYSTEM_POOL = "system"

#: The taint of pools without accelerators that workers of MPI jobs run on.
MPI_TAINT = "clusterprint/mpi-workers"

#: The label, with the name of the pool, on the nodes of a rolled pool, and of one of several TPU slices.
SLICES_LABEL = "clusterprint/pool"

#: Every region has a zone of this letter.
DEFAULT_ZONE = "b"

SYSTEM_PODS = 64
CPU_PODS = 64
GPU_PODS = 32
TPU_SLICE_PODS = 15
#: What GKE takes where nobody says otherwise.
CREATED_PODS = 110

_NO_NETWORKS = "single"


def machine(pool: NodePool) -> Machine | None:
    """The facts about a pool's machine type; None for TPUs, and for a type that is not in the catalog."""
    return catalog.machine(pool.machine_type)


def tpu(pool: NodePool | AutoCreation) -> tuple[TpuType, TpuMachine] | None:
    """The facts about a pool's TPU machines; None for all others."""
    found = catalog.tpu_type_of(pool.machine_type)
    return (found, found.machines[pool.machine_type]) if found else None


def kind(pool: NodePool) -> str:
    """The series of a pool's machines, or their TPU, as the catalog keeps versions for."""
    slices = tpu(pool)
    if slices:
        return slices[0].name
    found = machine(pool)
    if found is None:
        return ""
    return f"{found.series}-fraction" if 0 < found.gpus < 1 else found.series


def nodes_per_slice(pool: NodePool | AutoCreation) -> int:
    """How many machines make up one slice of a TPU pool; 0 for other pools, and for what is no slice."""
    found = tpu(pool)
    if found is None or pool.tpu is UNSET:
        return 0
    return found[0].node_count(pool.tpu.topology, pool.machine_type) or 0


def has_gpus(pool: NodePool) -> bool:
    """Whether the nodes of a pool have GPUs, their own or attached ones."""
    found = machine(pool)
    return pool.guest_accelerator is not UNSET or (found is not None and found.gpus > 0)


def is_bare_metal(pool: NodePool) -> bool:
    """Whether the nodes of a pool are whole hosts, without a hypervisor."""
    found = machine(pool)
    return found is not None and found.bare_metal


def is_accelerated(pool: NodePool) -> bool:
    """Whether the nodes of a pool have GPUs or TPUs."""
    return has_gpus(pool) or tpu(pool) is not None


def network_profile(pool: NodePool) -> Literal["", "auto"]:
    """By what GKE makes the networks of a pool's accelerators; empty where it makes none."""
    if not pool.gpu_networks:
        return ""
    found = machine(pool)
    is_left_to_gke = found is not None and found.network.managed_only
    return "auto" if is_left_to_gke or pool.accelerator_network_profile is not UNSET else ""


def layout(pool: NodePool) -> NetworkLayout:
    """The networks that the nodes of a pool are connected to, without those that GKE makes."""
    found = machine(pool)
    own = network_layout(_NO_NETWORKS)
    if found is not None and pool.gpu_networks:
        own = found.network.left_to_gke if network_profile(pool) else found.network
    return own.with_second if pool.second_network else own


def device_class(pool: NodePool) -> str:
    """The device class of a pool's interfaces, if GKE makes their networks; empty if it cannot."""
    slices = tpu(pool)
    if slices:
        return slices[1].device_class
    found = machine(pool)
    return found.network.device_class if found else ""


def compute_class(blueprint: KubernetesBlueprint, pool: NodePool) -> str:
    """The class that a pool belongs to, or an empty text; a rule says that it is one at most."""
    return next((each.name for each in blueprint.compute_classes if pool.name in each.prefer), "")


def default_zone(blueprint: KubernetesBlueprint) -> str:
    """Where nodes run by default."""
    return f"{blueprint.region}-{DEFAULT_ZONE}" if blueprint.zone is UNSET else blueprint.zone


def location(blueprint: KubernetesBlueprint) -> str:
    """The region or the zone of the control plane."""
    existing = blueprint.cluster.existing
    if existing is not UNSET and existing.location is not UNSET:
        return existing.location
    return blueprint.region if blueprint.cluster.location == "regional" else default_zone(blueprint)


def zones(blueprint: KubernetesBlueprint, pool: NodePool) -> tuple[str, ...]:
    """Where the nodes of a pool run."""
    return pool.zones or (default_zone(blueprint),)


def slices(pool: NodePool) -> int:
    """How many node pools of GKE a pool is."""
    return 1 if pool.tpu is UNSET else pool.tpu.slices


def is_rolled(pool: NodePool) -> bool:
    """Whether another generation of a pool is created beside it."""
    return pool.update.strategy == "roll"


def is_fixed(pool: NodePool) -> bool:
    """Whether the number of nodes is fixed; nodes of flex_start come and go with the work."""
    return pool.autoscaling is UNSET and pool.capacity.model != "flex_start"


def fixed_nodes(pool: NodePool) -> int:
    """The number of nodes of one slice or pool, all zones together, if it is fixed, with spare ones."""
    return (pool.count if pool.count is not UNSET else nodes_per_slice(pool) or 1) + spares(pool)


def spares(pool: NodePool) -> int:
    """How many nodes stand by for broken ones."""
    return 0 if pool.health is UNSET else pool.health.spares


def nodes_for_jobs(blueprint: KubernetesBlueprint, pool: NodePool) -> int:
    """The most nodes that queues give to jobs at a time."""
    return max_nodes(blueprint, pool) - spares(pool)


def max_nodes(blueprint: KubernetesBlueprint, pool: NodePool) -> int:
    """The most nodes that a pool has at a time, in all zones and slices, without surge."""
    if pool.autoscaling is UNSET:
        most = fixed_nodes(pool)
    else:
        most = pool.autoscaling.max * (len(zones(blueprint, pool)) if pool.autoscaling.per_zone else 1)
    return most * slices(pool)


def max_surge(pool: NodePool) -> int:
    """Extra nodes of an upgrade in each GKE pool: 0 for accelerators, which are rarely available."""
    if pool.upgrades.max_surge is not UNSET:
        return pool.upgrades.max_surge
    return 0 if is_accelerated(pool) or pool.capacity.model == "reservation" else 1


def surge_nodes(blueprint: KubernetesBlueprint, pool: NodePool) -> int:
    """How many nodes a pool has in addition while it is upgraded."""
    if pool.capacity.model == "flex_start":
        return 0
    if pool.upgrades.strategy == "blue_green" or is_rolled(pool):
        return max_nodes(blueprint, pool)
    return max_surge(pool) * slices(pool)


def max_pods(pool: NodePool) -> int:
    """How many pods each node of a pool has addresses for."""
    if pool.max_pods_per_node is not UNSET:
        return pool.max_pods_per_node
    if nodes_per_slice(pool) > 1:
        return TPU_SLICE_PODS
    return GPU_PODS if is_accelerated(pool) else CPU_PODS


def max_system_nodes(pool: SystemPool) -> int:
    """The most nodes of the system pool in all its zones, one more for its upgrades."""
    return pool.autoscaling.max * (len(pool.zones or [""]) if pool.autoscaling.per_zone else 1) + 1


def all_nodes(blueprint: KubernetesBlueprint) -> int:
    """The most nodes that a cluster has at a time: what its nodes' subnet must hold."""
    pools = sum(max_nodes(blueprint, pool) + surge_nodes(blueprint, pool) for pool in blueprint.node_pools)
    created = sum(nodes.max_nodes for _, nodes in auto_creation.creations(blueprint.compute_classes))
    return pools + created + max_system_nodes(blueprint.system_pool)


def all_pod_addresses(blueprint: KubernetesBlueprint) -> int:
    """The pod addresses that so many nodes take: what the range for pods must hold."""
    pools = sum(
        pod_addresses(max_pods(pool)) * (max_nodes(blueprint, pool) + surge_nodes(blueprint, pool))
        for pool in blueprint.node_pools
    )
    created = sum(
        pod_addresses(CREATED_PODS) * nodes.max_nodes
        for _, nodes in auto_creation.creations(blueprint.compute_classes)
    )
    system = pod_addresses(SYSTEM_PODS) * max_system_nodes(blueprint.system_pool)
    return pools + created + system
