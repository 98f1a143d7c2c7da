"""Node pools: how many nodes there are, where, and how they come and go."""

import math

import msgspec
from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import Autoscaling, NodePool
from clusterprint.derived import durations, google_provider, names, node_pools, rolls
from clusterprint.plan.gke.pools import AutoscalingPlan, PoolPlan, UpgradePlan
from clusterprint.resolve.gke.device_claims import resolve_claim
from clusterprint.resolve.gke.needs import Needs
from clusterprint.resolve.gke.networks import resolve_interfaces
from clusterprint.resolve.gke.nodes import resolve_node, resolve_system_node
from clusterprint.resolve.gke.placement import resolve_placement
from clusterprint.resolve.google import machine_of

# How long to wait for the first nodes, in minutes: accelerators are scarce.
_CREATE_MINUTES = 45
_ACCELERATOR_CREATE_MINUTES = 120
# GKE respects disruption budgets for an hour, and then deletes the nodes.
_DRAIN_MINUTES = 90


def resolve_pools(blueprint: KubernetesBlueprint, needs: Needs) -> tuple[PoolPlan, ...]:
    """The pools for workloads; one of several TPU slices is one pool for each."""
    return tuple(
        resolve_pool(blueprint, pool, key, for_mpi=pool.name in needs.mpi_pools)
        for pool in blueprint.node_pools
        for key in (
            [names.slice_pool(pool.name, index) for index in range(node_pools.slices(pool))]
            if node_pools.slices(pool) > 1
            else [pool.name]
        )
    )


def resolve_system_pool(blueprint: KubernetesBlueprint) -> PoolPlan:
    """The small pool for what is no workload."""
    pool = blueprint.system_pool
    autoscaling = pool.autoscaling
    zones = pool.zones or (node_pools.default_zone(blueprint),)
    machine = machine_of(pool.machine_type)
    return PoolPlan(
        key=node_pools.SYSTEM_POOL,
        group=node_pools.SYSTEM_POOL,
        zones=zones,
        nodes_per_zone=autoscaling.min if autoscaling.per_zone else math.ceil(autoscaling.min / len(zones)),
        autoscaling=_autoscaling(autoscaling, "BALANCED"),
        max_nodes=autoscaling.max * (len(zones) if autoscaling.per_zone else 1),
        max_pods=node_pools.SYSTEM_PODS,
        node=resolve_system_node(blueprint, machine),
        auto_repair=True,
        auto_upgrade=_follows_channel(blueprint),
        upgrade=UpgradePlan(
            strategy="SURGE",
            max_surge=1,
            max_unavailable=0,
            batch_nodes=0,
            batch_soak_seconds=0,
            pool_soak_seconds=0,
        ),
        create_minutes=_CREATE_MINUTES,
        delete_minutes=_CREATE_MINUTES,
        vcpus=machine.vcpus,
        memory_gb=machine.memory_gb,
        architecture=machine.architecture,
    )


def resolve_pool(
    blueprint: KubernetesBlueprint, pool: NodePool, key: str, *, for_mpi: bool = False
) -> PoolPlan:
    """One pool of GKE."""
    zones = node_pools.zones(blueprint, pool)
    tpu = node_pools.tpu(pool)
    machine = None if tpu else machine_of(pool.machine_type)
    scaling = _scaling(pool)
    plan = PoolPlan(
        key=key,
        group=pool.name,
        zones=zones,
        nodes_per_zone=_nodes_per_zone(pool, len(zones)),
        autoscaling=scaling,
        max_nodes=node_pools.max_nodes(blueprint, pool) // node_pools.slices(pool),
        max_pods=node_pools.max_pods(pool),
        node=resolve_node(blueprint, pool, for_mpi=for_mpi),
        interfaces=resolve_interfaces(blueprint, pool),
        placement=resolve_placement(pool),
        auto_repair=_is_repaired(pool),
        auto_upgrade=_follows_channel(blueprint),
        upgrade=_upgrade(pool),
        create_minutes=_create_minutes(pool),
        delete_minutes=max(_create_minutes(pool), _DRAIN_MINUTES if _drains_gently(blueprint, pool) else 0),
        compute_class=node_pools.compute_class(blueprint, pool),
        vcpus=machine.vcpus if machine else (tpu[1].vcpus or 0 if tpu else 0),
        memory_gb=machine.memory_gb if machine else (tpu[1].memory_gb or 0 if tpu else 0),
        architecture=machine.architecture if machine else "amd64",
        fabric=_fabric(pool),
        network_profile=node_pools.network_profile(pool),
        gpudirect_strategy="" if pool.gpudirect_strategy is UNSET else pool.gpudirect_strategy.upper(),
        claim=resolve_claim(pool),
        second_network=pool.second_network,
        excluded_until_end_of_support=pool.upgrades.exclude_until_end_of_support,
        drain_respects_budgets=_drains_gently(blueprint, pool),
    )
    return msgspec.structs.replace(plan, key=rolls.generation(plan)) if node_pools.is_rolled(pool) else plan


def _drains_gently(blueprint: KubernetesBlueprint, pool: NodePool) -> bool:
    wanted = pool.node_drain.respect_disruption_budgets
    by_itself = node_pools.is_rolled(pool) and not google_provider.is_old(blueprint.terraform)
    return by_itself if wanted is UNSET else wanted


def _is_repaired(pool: NodePool) -> bool:
    if pool.health is not UNSET:
        return pool.health.on_fault == "replace"
    return pool.capacity.model != "flex_start" if pool.auto_repair is UNSET else pool.auto_repair


def _fabric(pool: NodePool) -> str:
    """The interconnect between GPUs of different nodes, if the nodes are connected."""
    layout = node_pools.layout(pool)
    found = catalog.fabric_of(layout) if layout.nics > 1 or node_pools.network_profile(pool) else None
    return found[0] if found else ""


def _follows_channel(blueprint: KubernetesBlueprint) -> bool:
    """In a release channel GKE insists on upgrading nodes; without one it would take them by surprise."""
    return blueprint.cluster.release_channel != "none"


def _nodes_per_zone(pool: NodePool, zones: int) -> int:
    if node_pools.is_fixed(pool):
        return node_pools.fixed_nodes(pool) // zones
    if pool.autoscaling is UNSET:
        return 0  # flex_start: nodes come with the work
    least = pool.autoscaling.min
    return least if pool.autoscaling.per_zone else math.ceil(least / zones)


def _scaling(pool: NodePool) -> AutoscalingPlan | None:
    if node_pools.is_fixed(pool):
        return None
    # Scarce capacity is taken where it is; the others are spread, so that a zone can be lost.
    scarce = pool.capacity.model in ("flex_start", "spot")
    scaling = Autoscaling(max=node_pools.fixed_nodes(pool)) if pool.autoscaling is UNSET else pool.autoscaling
    plan = _autoscaling(scaling, "ANY" if scarce else "BALANCED")
    if node_pools.nodes_per_slice(pool) <= 1:
        return plan
    # GKE reads the size of a slice off the limits of a zone (it lies in one), which totals leave at 0, and
    # cannot put one together out of nodes that are to be spread.
    return msgspec.structs.replace(plan, per_zone=True, location_policy="ANY")


def _autoscaling(scaling: Autoscaling, usual: str) -> AutoscalingPlan:
    policy = usual if scaling.location_policy is UNSET else scaling.location_policy.upper()
    return AutoscalingPlan(
        min=scaling.min,
        max=scaling.max,
        per_zone=scaling.per_zone,
        location_policy="ANY" if policy == "ANY" else "BALANCED",
    )


def _upgrade(pool: NodePool) -> UpgradePlan | None:
    """None for flex_start: its nodes are never upgraded, GKE replaces them when their time is up."""
    if pool.capacity.model == "flex_start":
        return None
    upgrades = pool.upgrades
    surge = node_pools.max_surge(pool)
    unavailable = upgrades.max_unavailable
    blue_green = upgrades.strategy == "blue_green"
    return UpgradePlan(
        strategy="BLUE_GREEN" if blue_green else "SURGE",
        max_surge=surge,
        max_unavailable=(0 if surge else 1) if unavailable is UNSET else unavailable,
        batch_nodes=upgrades.blue_green.batch_nodes,
        batch_soak_seconds=durations.seconds(upgrades.blue_green.batch_soak),
        pool_soak_seconds=durations.seconds(upgrades.blue_green.pool_soak),
    )


def _create_minutes(pool: NodePool) -> int:
    if pool.create_timeout is not UNSET:
        return math.ceil(durations.seconds(pool.create_timeout) / 60)
    return _ACCELERATOR_CREATE_MINUTES if node_pools.is_accelerated(pool) else _CREATE_MINUTES
