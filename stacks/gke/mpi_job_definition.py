"""The definition of MPIJobs: data, which needs no engine."""

from typing import Any

from stacks.gke.definition import AGE, Column, Names, definition


def _replicas(least: int, most: int | None) -> dict[str, Any]:
    """One of the two roles of a job; what pods look like is Kubernetes' own business."""
    return {
        "type": "object",
        "properties": {
            "replicas": {"type": "integer", "minimum": least, **({"maximum": most} if most else {})},
            "restartPolicy": {"type": "string"},
            "template": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        },
    }


_RUN_POLICY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "cleanPodPolicy": {"type": "string", "enum": ["None", "Running", "All"]},
        "ttlSecondsAfterFinished": {"type": "integer", "minimum": 0},
        "activeDeadlineSeconds": {"type": "integer", "minimum": 0},
        "backoffLimit": {"type": "integer", "minimum": 0},
        "suspend": {"type": "boolean", "default": False},
        "managedBy": {"type": "string"},
        "schedulingPolicy": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    },
}

_SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["mpiReplicaSpecs"],
    "properties": {
        "slotsPerWorker": {"type": "integer", "minimum": 1, "default": 1},
        "runLauncherAsWorker": {"type": "boolean", "default": False},
        "sshAuthMountPath": {"type": "string"},
        "launcherCreationPolicy": {
            "type": "string",
            "enum": ["AtStartup", "WaitForWorkersReady"],
            "default": "AtStartup",
        },
        "mpiImplementation": {
            "type": "string",
            "enum": ["OpenMPI", "Intel", "MPICH"],
            "default": "OpenMPI",
        },
        "runPolicy": _RUN_POLICY,
        "mpiReplicaSpecs": {
            "type": "object",
            "required": ["Launcher"],
            "properties": {"Launcher": _replicas(1, 1), "Worker": _replicas(0, None)},
        },
    },
}

# What jobs look like, as far as the operator says it; the manifest of its makers also spells out pods.
DEFINITION = definition(
    "kubeflow.org",
    "v2beta1",
    Names("MPIJob", "mpijobs", ("mj", "mpij")),
    columns=[AGE, Column("State", "string", ".status.conditions[-1:].type")],
    spec=_SPEC,
)
