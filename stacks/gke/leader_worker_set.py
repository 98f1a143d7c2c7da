"""A LeaderWorkerSet: its groups of pods, and the service that leads to their leaders."""

from typing import Any

from clusterprint.plan.gke.pod_groups import LeaderWorkerSetPlan
from stacks.gke.group_pod import group_pod

_EXCLUSIVE = "leaderworkerset.sigs.k8s.io/exclusive-topology"


def leader_worker_set_objects(plan: LeaderWorkerSetPlan) -> dict[str, dict[str, Any]]:
    """The set, and its service with a budget for disruptions, by key."""
    service = {"service": _service(plan), "disruption-budget": _budget(plan)} if plan.port else {}
    return {"leader-worker-set": _leader_worker_set(plan), **service}


def _leader_worker_set(plan: LeaderWorkerSetPlan) -> dict[str, Any]:
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {
            "name": plan.name,
            "namespace": plan.namespace,
            **({"labels": plan.queue} if plan.queue else {}),
            **({"annotations": {_EXCLUSIVE: plan.exclusive}} if plan.exclusive else {}),
        },
        "spec": {
            "replicas": plan.replicas,
            "leaderWorkerTemplate": {
                "size": plan.size,
                # Programs that span nodes do not survive the loss of one.
                "restartPolicy": "RecreateGroupOnPodRestart",
                "leaderTemplate": group_pod(
                    plan.pod,
                    group=plan.name,
                    command=plan.leader_command,
                    domain=plan.domain,
                    port=plan.port,
                ),
                "workerTemplate": group_pod(
                    plan.pod, group=plan.name, command=plan.worker_command, domain=plan.domain
                ),
            },
        },
    }


def _service(plan: LeaderWorkerSetPlan) -> dict[str, Any]:
    """Its name is not that of the set, which has a headless service of its own."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": plan.service, "namespace": plan.namespace},
        "spec": {
            "selector": plan.leaders,
            "ports": [{"name": "serve", "port": plan.port, "targetPort": plan.port}],
        },
    }


def _budget(plan: LeaderWorkerSetPlan) -> dict[str, Any]:
    """Upgrades of nodes restart one group after the other: a pod that goes takes its group with it."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": plan.name, "namespace": plan.namespace},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": plan.members}},
    }
