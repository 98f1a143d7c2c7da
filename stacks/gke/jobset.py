"""A JobSet: its files, and the jobs that start and fail together."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.gke.pod_groups import JobSetPlan
from stacks.gke.compute_domain import domain_objects
from stacks.gke.group_pod import group_pod
from stacks.gke.job_files import lay_files
from stacks.kubernetes.objects import Objects

_EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"


class JobSet(Construct):
    """One run of a JobSet. Another run has another name: it is made, then the last one goes."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: JobSetPlan
    ) -> None:
        super().__init__(scope, id)
        waits = list(after)
        if plan.pod.files:
            waits.append(lay_files(self, plan.namespace, plan.pod.files, after))
        self.resource = Objects(
            self,
            "Default",
            name=f"jobset-{plan.key}",
            namespace=plan.namespace,
            objects={**domain_objects(plan.domain, plan.namespace), plan.name: _jobset(plan)},
            after=waits,
            wait=False,
        ).resource


def _jobset(plan: JobSetPlan) -> dict[str, Any]:
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
