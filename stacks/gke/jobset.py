"""A JobSet: jobs that start and fail together."""

from typing import Any

from clusterprint.plan.gke.pod_groups import JobSetPlan
from stacks.gke.group_pod import group_pod

_EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"


def jobset(plan: JobSetPlan) -> dict[str, Any]:
    """The object of one run."""
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {
            "name": plan.name,
            "namespace": plan.namespace,
            **({"labels": plan.queue} if plan.queue else {}),
            **({"annotations": {_EXCLUSIVE: plan.exclusive}} if plan.exclusive else {}),
        },
        "spec": {
            # Names of pods resolve before these are ready: they meet each other by name.
            "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True},
            "failurePolicy": {"maxRestarts": plan.retries},
            # Kueue starts what is suspended.
            **({"suspend": True} if plan.queue else {}),
            "replicatedJobs": [
                {"name": plan.job, "replicas": plan.replicas, "template": {"spec": _job(plan)}}
            ],
        },
    }


def _job(plan: JobSetPlan) -> dict[str, Any]:
    """One replica. A pod that fails fails all, and all are started again or none."""
    return {
        "parallelism": plan.pods,
        "completions": plan.pods,
        "completionMode": "Indexed",
        "backoffLimit": 0,
        **({"activeDeadlineSeconds": plan.deadline_seconds} if plan.deadline_seconds else {}),
        "template": group_pod(
            plan.pod, group=plan.name, command=plan.command, domain=plan.domain, restart="Never"
        ),
    }
