"""Placement policies of the nodes of a pool."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import names, node_pools
from clusterprint.plan.gke.cluster import PoolPolicyPlan
from clusterprint.plan.gke.pools import PlacementPlan
from clusterprint.plan.google import PolicyPlan


def resolve_placement(pool: NodePool) -> PlacementPlan | None:
    """Where the nodes are put; the key of a policy is the name of the pool."""
    tpu = node_pools.tpu(pool)
    if tpu is not None:
        if node_pools.nodes_per_slice(pool) <= 1 or pool.tpu is UNSET:
            return None  # one host is a slice by itself
        if tpu[0].workload_policy_when_multi_host:
            return PlacementPlan(policy=pool.name, tpu_topology="")
        return PlacementPlan(policy="", tpu_topology=pool.tpu.topology)
    if pool.placement.existing is not UNSET:
        return PlacementPlan(policy="", tpu_topology="", existing=pool.placement.existing)
    kind = _kind(pool)
    if kind == "none":
        return None
    return PlacementPlan(policy=pool.name if kind == "workload" else "", tpu_topology="")


def resolve_policies(blueprint: KubernetesBlueprint) -> tuple[PoolPolicyPlan, ...]:
    """The workload policies of pools that need one; compact placement is GKE's own business."""
    return tuple(
        PoolPolicyPlan(key=pool.name, policy=_policy(blueprint.name, pool))
        for pool in blueprint.node_pools
        if (placement := resolve_placement(pool)) and placement.policy
    )


def _policy(name: str, pool: NodePool) -> PolicyPlan:
    machine = node_pools.machine(pool)
    workload = machine.workload_policy if machine else None
    distance = pool.placement.max_topology_distance
    topology = workload.accelerator_topology if workload else ""
    return PolicyPlan(
        kind="workload",
        name=names.pool_policy(name, pool.name),
        accelerator_topology=topology if pool.tpu is UNSET else pool.tpu.topology,
        max_topology_distance="" if distance is UNSET else distance.upper(),
    )


def _kind(pool: NodePool) -> str:
    """The placement in the blueprint, else the closest one that certainly works."""
    machine = node_pools.machine(pool)
    if pool.placement.policy is not UNSET:
        return pool.placement.policy
    if machine is None:
        return "none"
    if machine.workload_policy and machine.workload_policy.required:
        return "workload"
    return "compact" if _wants_compact(pool, machine) else "none"


def _wants_compact(pool: NodePool, machine: catalog.Machine) -> bool:
    """Nodes with a fabric between them, made on demand, or by flex-start where that can place them.

    Others are placed by who grants them.
    """
    capacity = pool.capacity
    flexible = machine.series in catalog.placement().flex_start_with_compact and not capacity.queued
    return (
        machine.compact_placement
        and machine.network.fabric != "none"
        and (capacity.model == "on_demand" or (capacity.model == "flex_start" and flexible))
        and pool.upgrades.strategy != "blue_green"
        and len(pool.zones) <= 1
    )
