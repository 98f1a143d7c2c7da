"""Compute classes, as objects of GKE."""

from collections.abc import Iterable
from typing import Any

from clusterprint.plan.gke.cluster import ComputeClassPlan, CreatedNodesPlan, CreationRulePlan


def compute_class_objects(plans: Iterable[ComputeClassPlan]) -> dict[str, dict[str, Any]]:
    """One object for each class, with one rule for each pool, in the order in which they are tried."""
    objects = {}
    for plan in plans:
        created = plan.created
        metadata: dict[str, Any] = {"name": plan.name}
        spec: dict[str, Any] = {
            "priorities": [{"nodepools": [pool]} for pool in plan.pools],
            "activeMigration": {"optimizeRulePriority": plan.migrate},
            "whenUnsatisfiable": plan.when_unsatisfiable,
        }
        if created:
            spec["priorities"] += [_priority(created, rule) for rule in created.rules]
            spec["nodePoolAutoCreation"] = {"enabled": True}
            metadata["annotations"] = {created.count_annotation: str(created.max_nodes)}
            spec["nodePoolConfig"] = {"serviceAccount": created.email, "imageType": created.image_type}
        objects[plan.name] = {
            "apiVersion": "cloud.google.com/v1",
            "kind": "ComputeClass",
            "metadata": metadata,
            "spec": spec,
        }
        if created and created.vcpu_limit:
            objects[f"limit-{plan.name}"] = _limit(plan.name, created.vcpu_limit)
    return objects


def _priority(plan: CreatedNodesPlan, rule: CreationRulePlan) -> dict[str, Any]:
    """One rule without a pool: GKE makes one."""
    found: dict[str, Any] = {
        "machineType": plan.machine_type,
        "location": {"zones": list(plan.zones)},
        "storage": {
            **({"bootDiskType": plan.disk_type} if plan.disk_type else {}),
            "bootDiskSize": plan.disk_size_gb,
        },
    }
    if plan.kms_key:
        found["storage"]["bootDiskKMSKey"] = plan.kms_key
    if plan.gpu_count:
        found["gpu"] = {"type": plan.gpu_type, "count": plan.gpu_count, "driverVersion": plan.gpu_driver}
    if plan.tpu:
        tpu = plan.tpu
        found["tpu"] = {"type": tpu.accelerator, "count": tpu.chips_per_node, "topology": tpu.topology}
    if rule.spot:
        found["spot"] = True
    if rule.flex_start:
        found["flexStart"] = {"enabled": True}
    if rule.max_run_seconds:
        found["maxRunDurationSeconds"] = rule.max_run_seconds
    if rule.reservation:
        named = {"name": rule.reservation, "project": rule.reservation_project}
        found["reservations"] = {"affinity": "Specific", "specific": [named]}
    return found


def _limit(name: str, vcpus: int) -> dict[str, Any]:
    return {
        "apiVersion": "autoscaling.x-k8s.io/v1beta1",
        "kind": "CapacityQuota",
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": {"cloud.google.com/compute-class": name}},
            "limits": {"resources": {"cpu": vcpus}},
        },
    }
