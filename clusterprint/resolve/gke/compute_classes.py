"""Compute classes: the pools of the blueprint in their order, and nodes that GKE makes pools for."""

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.compute_classes import AutoCreation, ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.machines import Capacity
from clusterprint.derived import auto_creation, names, node_pools, reservations
from clusterprint.plan.gke.cluster import ComputeClassPlan, CreatedNodesPlan, CreationRulePlan
from clusterprint.plan.gke.pools import PoolPlan, TaintPlan
from clusterprint.resolve.gke.pods import COMPUTE_CLASS
from clusterprint.resolve.gke.pools import resolve_pool
from clusterprint.resolve.google import max_run_seconds


def resolve_created(blueprint: KubernetesBlueprint) -> tuple[PoolPlan, ...]:
    """Nodes that GKE will make, as far as queues need to know them: found by the label of their class."""
    return tuple(
        _made(blueprint, compute_class, nodes)
        for compute_class, nodes in auto_creation.creations(blueprint.compute_classes)
    )


def _made(blueprint: KubernetesBlueprint, compute_class: ComputeClass, nodes: AutoCreation) -> PoolPlan:
    pool = auto_creation.as_pool(compute_class, nodes)
    plan = resolve_pool(blueprint, pool, pool.name)
    own = TaintPlan(key=COMPUTE_CLASS, value=compute_class.name, effect="NO_SCHEDULE")
    return msgspec.structs.replace(
        plan,
        node=msgspec.structs.replace(plan.node, taints=(*plan.node.taints, own)),
        compute_class=compute_class.name,
        selector={COMPUTE_CLASS: compute_class.name},
    )


def resolve_compute_classes(
    blueprint: KubernetesBlueprint, pools: tuple[PoolPlan, ...], created: tuple[PoolPlan, ...]
) -> tuple[ComputeClassPlan, ...]:
    """Each class with the names that its pools have in GKE."""
    by_class = {each.compute_class: each for each in created}
    return tuple(
        ComputeClassPlan(
            name=each.name,
            # A pool of several slices is several pools of GKE.
            pools=tuple(pool.key for name in each.prefer for pool in pools if pool.group == name),
            created=_created(blueprint, each, pools, by_class[each.name]) if each.name in by_class else None,
            when_unsatisfiable=(
                "DoNotScaleUp" if each.when_unsatisfiable == "do_not_scale_up" else "ScaleUpAnyway"
            ),
            migrate=each.migrate,
        )
        for each in blueprint.compute_classes
    )


def _created(
    blueprint: KubernetesBlueprint, compute_class: ComputeClass, pools: tuple[PoolPlan, ...], like: PoolPlan
) -> CreatedNodesPlan | None:
    nodes = compute_class.auto_create
    if nodes is UNSET:
        return None
    gpus = like.node.accelerator
    return CreatedNodesPlan(
        machine_type=nodes.machine_type,
        gpu_type=gpus.type if gpus else "",
        gpu_count=gpus.count if gpus else 0,
        gpu_driver=gpus.driver.lower() if gpus else "",
        tpu=like.node.tpu,
        zones=like.zones,
        disk_type=like.node.disk_type,
        disk_size_gb=like.node.disk_size_gb,
        image_type=like.node.image_type.lower(),
        email=_email(blueprint),
        rules=tuple(_rule(blueprint, each) for each in nodes.capacity),
        max_nodes=nodes.max_nodes,
        count_annotation=auto_creation.MAX_NODES,
        vcpu_limit=_limit(blueprint, compute_class, nodes, pools, like),
        kms_key=like.node.boot_disk_kms_key,
    )


def _rule(blueprint: KubernetesBlueprint, capacity: Capacity) -> CreationRulePlan:
    project, name = "", ""
    if capacity.reservation is not UNSET:
        project, name = reservations.project_and_name(capacity.reservation, blueprint.project)
    return CreationRulePlan(
        spot=capacity.model == "spot",
        flex_start=capacity.model == "flex_start",
        max_run_seconds=max_run_seconds(capacity),
        reservation=name,
        reservation_project=project,
    )


def _limit(
    blueprint: KubernetesBlueprint,
    compute_class: ComputeClass,
    nodes: AutoCreation,
    pools: tuple[PoolPlan, ...],
    like: PoolPlan,
) -> int:
    """The class is counted as a whole, so its pools have to fit beside what is made."""
    if not nodes.limited:
        return 0
    surge = {pool.name: node_pools.surge_nodes(blueprint, pool) for pool in blueprint.node_pools}
    of_pools = sum(each.vcpus * each.max_nodes for each in pools if each.group in compute_class.prefer)
    vcpus = {each.group: each.vcpus for each in pools}
    upgraded = sum(vcpus.get(name, 0) * surge.get(name, 0) for name in compute_class.prefer)
    return of_pools + upgraded + like.vcpus * nodes.max_nodes


def _email(blueprint: KubernetesBlueprint) -> str:
    """Who the nodes of all pools are, by name: the account is in the stack of the cluster."""
    account = blueprint.service_account
    if account.email is not UNSET:
        return account.email
    return names.account_email(names.service_account(blueprint.name), blueprint.project)
