"""A JobSet: jobs that start and fail together; and a TrainJob, of which Kubeflow Trainer makes one."""

from typing import Any

from clusterprint.plan.gke.pod_groups import JobSetPlan, TrainerPlan
from stacks.gke.group_pod import group_pod

_EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
_TRAINER = "trainer.kubeflow.org/v1alpha1"
# The jobs of a runtime that run the program.
_STEP = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}


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
        # Kueue starts what is suspended.
        "spec": _spec(plan, {"suspend": True} if plan.queue else {}, {}),
    }


def training_runtime(plan: JobSetPlan, trainer: TrainerPlan) -> dict[str, Any]:
    """The pods of a TrainJob. Trainer's own runtimes say nothing of nodes, networks and volumes."""
    return {
        "apiVersion": _TRAINER,
        "kind": "TrainingRuntime",
        "metadata": {"name": plan.name, "namespace": plan.namespace},
        "spec": {
            "mlPolicy": {"numNodes": plan.pods, trainer.policy: {}},
            "template": {
                **({"metadata": {"annotations": {_EXCLUSIVE: plan.exclusive}}} if plan.exclusive else {}),
                "spec": _spec(plan, {}, {"metadata": {"labels": _STEP}}),
            },
        },
    }


def train_job(plan: JobSetPlan, trainer: TrainerPlan) -> dict[str, Any]:
    """The object of one run, whose runtime has its name."""
    return {
        "apiVersion": _TRAINER,
        "kind": "TrainJob",
        "metadata": {
            "name": plan.name,
            "namespace": plan.namespace,
            **({"labels": plan.queue} if plan.queue else {}),
        },
        "spec": {
            "runtimeRef": {"kind": "TrainingRuntime", "name": plan.name},
            "trainer": {
                "image": plan.pod.image,
                "command": list(plan.command),
                "numNodes": plan.pods,
                **({"numProcPerNode": trainer.processes} if trainer.processes else {}),
            },
            **({"suspend": True} if plan.queue else {}),
        },
    }


def _spec(plan: JobSetPlan, start: dict[str, Any], marks: dict[str, Any]) -> dict[str, Any]:
    template = {**marks, "spec": _job(plan)}
    return {
        # Names of pods resolve before these are ready: they meet each other by name.
        "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True},
        "failurePolicy": {"maxRestarts": plan.retries},
        **start,
        "replicatedJobs": [{"name": plan.job, "replicas": plan.replicas, "template": template}],
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
