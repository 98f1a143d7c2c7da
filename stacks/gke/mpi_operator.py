"""The MPI operator: the definition of MPIJobs, and the program that runs them."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.service_account_v1 import (
    ServiceAccountV1,
    ServiceAccountV1Metadata,
)
from constructs import Construct

from clusterprint.plan.kubernetes import ProgramPlan
from stacks.addresses import addressed
from stacks.kubernetes.controller import Controller
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.rights import Right, Rights

_NAME = "mpi-operator"

_RIGHTS = (
    # Host files and SSH keys of jobs, and the name that workers are found by.
    Right("", ["configmaps", "secrets", "services"], ["create", "get", "list", "watch", "update"]),
    Right("", ["pods"], ["create", "get", "list", "watch", "delete", "update", "patch"]),
    Right("", ["events"], ["create", "patch"]),
    # The launcher.
    Right("batch", ["jobs"], ["create", "get", "list", "watch", "update"]),
    Right("kubeflow.org", ["mpijobs", "mpijobs/finalizers", "mpijobs/status"], ["*"]),
    Right("coordination.k8s.io", ["leases"], ["create", "get", "list", "watch", "update"]),
    Right("scheduling.k8s.io", ["priorityclasses"], ["get", "list", "watch"]),
)


class MpiOperator(Construct):
    """The operator, in a namespace of its own. `ready` has to be there before the first job."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespace: str,
        after: Sequence[TerraformResource],
        program: ProgramPlan,
    ) -> None:
        super().__init__(scope, id)
        definition = Objects(
            self,
            "definition",
            name=f"{_NAME}-definition",
            namespace=namespace,
            objects={"mpijobs.kubeflow.org": DEFINITION},
            after=after,
        )
        account = addressed(
            ServiceAccountV1(
                self,
                "account",
                metadata=ServiceAccountV1Metadata(name=_NAME, namespace=namespace),
                depends_on=list(after),
            )
        )
        rights = Rights(
            self,
            "rights",
            name=_NAME,
            namespace=namespace,
            account=account.metadata.name,
            after=after,
            everywhere=_RIGHTS,
        )
        controller = Controller(
            self,
            "Default",
            name=_NAME,
            namespace=namespace,
            service_account=account.metadata.name,
            after=[definition.resource, *rights.grants],
            program=program,
        )
        self.ready = controller.resource


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
