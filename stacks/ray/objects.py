"""Ray's custom resources."""

from collections.abc import Sequence
from typing import Any

from clusterprint.plan.ray.ray import (
    FaultTolerancePlan,
    RayJobPlan,
    RayPlan,
    RayPodPlan,
    RayServicePlan,
    WorkerGroupPlan,
)
from stacks.ray import pods

API = "ray.io/v1"


def ray_cluster(plan: RayPlan) -> dict[str, Any]:
    """The blueprint's own Ray cluster."""
    spec = _spec(plan, plan.spec.head, plan.spec.groups, with_proxy=True)
    if plan.fault_tolerance:
        spec["gcsFaultToleranceOptions"] = _fault_tolerance(plan.fault_tolerance)
    return _object(plan, "RayCluster", plan.ray, spec)


def ray_job(plan: RayPlan, job: RayJobPlan) -> dict[str, Any]:
    """A run of a job."""
    spec: dict[str, Any] = {
        "entrypoint": job.entrypoint,
        "submissionMode": "K8sJobMode",
        "backoffLimit": job.retries,
    }
    if job.runtime_env:
        spec["runtimeEnvYAML"] = job.runtime_env
    if job.limit_seconds:
        spec["activeDeadlineSeconds"] = job.limit_seconds
    if job.head:
        spec["rayClusterSpec"] = _spec(plan, job.head, job.groups, with_proxy=False)
        spec["shutdownAfterJobFinishes"] = job.shutdown
        if job.shutdown:
            spec["ttlSecondsAfterFinished"] = job.keep_seconds
    else:
        spec["clusterSelector"] = {"ray.io/cluster": plan.ray}
    return _object(plan, "RayJob", job.run, spec)


def ray_service(plan: RayPlan, service: RayServicePlan) -> dict[str, Any]:
    """Ray Serve applications, on a Ray cluster of their own."""
    cluster = _spec(plan, service.head, service.groups, with_proxy=False)
    spec = {"serveConfigV2": service.config, "rayClusterConfig": cluster}
    return _object(plan, "RayService", service.name, spec)


def _object(plan: RayPlan, kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": API,
        "kind": kind,
        "metadata": {"name": name, "namespace": plan.namespace},
        "spec": spec,
    }


def _spec(
    plan: RayPlan, head: RayPodPlan, groups: Sequence[WorkerGroupPlan], *, with_proxy: bool
) -> dict[str, Any]:
    spec = plan.spec
    return {
        "rayVersion": spec.version,
        "enableInTreeAutoscaling": True,
        "autoscalerOptions": {"version": "v2", "upscalingMode": "Default"},
        "headGroupSpec": {
            "rayStartParams": {"dashboard-host": "0.0.0.0", "num-cpus": str(head.ray_cpus)},  # noqa: S104 - in the pod
            "template": pods.head(spec, head, plan.proxy if with_proxy else None),
        },
        "workerGroupSpecs": [_group(plan, group) for group in groups],
    }


def _group(plan: RayPlan, group: WorkerGroupPlan) -> dict[str, Any]:
    return {
        "groupName": group.name,
        # No `replicas`: that is the autoscaler's, and an upgrade would set it back.
        "minReplicas": group.min,
        "maxReplicas": group.max,
        "numOfHosts": group.hosts,
        "idleTimeoutSeconds": group.idle_seconds,
        "rayStartParams": {"num-cpus": str(group.pod.ray_cpus)},
        "template": pods.worker(plan.spec, group),
    }


def _fault_tolerance(plan: FaultTolerancePlan) -> dict[str, Any]:
    found: dict[str, Any] = {"redisAddress": plan.redis_address}
    if plan.password_secret:
        reference = {"secretKeyRef": {"name": plan.password_secret, "key": "password"}}
        found["redisPassword"] = {"valueFrom": reference}
    return found
