"""A LeaderWorkerSet: its files, its groups of pods, and the service that leads to their leaders."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.gke.pod_groups import LeaderWorkerSetPlan
from stacks.gke.compute_domain import domain_objects
from stacks.gke.group_pod import group_pod
from stacks.gke.job_files import lay_files
from stacks.kubernetes.objects import Objects

_EXCLUSIVE = "leaderworkerset.sigs.k8s.io/exclusive-topology"


class LeaderWorkerSet(Construct):
    """Replicas of a group of pods. A change is rolled out group by group."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: LeaderWorkerSetPlan
    ) -> None:
        super().__init__(scope, id)
        waits = list(after)
        if plan.pod.files:
            waits.append(lay_files(self, plan.namespace, plan.pod.files, after))
        self.resource = Objects(
            self,
            "Default",
            name=f"lws-{plan.name}",
            namespace=plan.namespace,
            objects={
                **domain_objects(plan.domain, plan.namespace),
                "leader-worker-set": _leader_worker_set(plan),
                **({"service": _service(plan)} if plan.port else {}),
            },
            after=waits,
            wait=False,
        ).resource


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
