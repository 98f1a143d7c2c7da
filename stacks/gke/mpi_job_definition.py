"""The definition of MPIJobs: data, which needs no engine."""

from typing import Any


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
        "sshAuthMountPath": {"type": "string", "default": "/root/.ssh"},
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
DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "mpijobs.kubeflow.org"},
    "spec": {
        "group": "kubeflow.org",
        "scope": "Namespaced",
        "names": {
            "kind": "MPIJob",
            "listKind": "MPIJobList",
            "plural": "mpijobs",
            "singular": "mpijob",
            "shortNames": ["mj", "mpij"],
        },
        "versions": [
            {
                "name": "v2beta1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "additionalPrinterColumns": [
                    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                    {"name": "State", "type": "string", "jsonPath": ".status.conditions[-1:].type"},
                ],
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "apiVersion": {"type": "string"},
                            "kind": {"type": "string"},
                            "metadata": {"type": "object"},
                            "spec": _SPEC,
                            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                        },
                    }
                },
            }
        ],
    },
}
