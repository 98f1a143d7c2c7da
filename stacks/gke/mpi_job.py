"""An MPI job: its files, its launcher and its workers."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from constructs import Construct

from clusterprint.plan.gke.mpi import MpiFilesPlan, MpiJobPlan
from stacks.addresses import addressed
from stacks.kubernetes.fabric import (
    fabric_annotations,
    fabric_capabilities,
    fabric_daemons,
    fabric_mounts,
    fabric_volumes,
)
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.tolerations import tolerations

CONTAINER = "mpi"
_HOSTNAME = "kubernetes.io/hostname"
_JOB_LABEL = "training.kubeflow.org/job-name"
_ROLE_LABEL = "training.kubeflow.org/job-role"


class MpiJob(Construct):
    """One run of a job. Another run has another name: it is made, then the last one goes."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: MpiJobPlan
    ) -> None:
        super().__init__(scope, id)
        waits = list(after)
        if plan.files:
            waits.append(self._files(plan.namespace, plan.files, after))
        self.resource = Objects(
            self,
            "Default",
            name=f"mpi-{plan.key}",
            namespace=plan.namespace,
            objects={plan.name: _mpi_job(plan)},
            after=waits,
            wait=False,
        ).resource

    def _files(
        self, namespace: str, plan: MpiFilesPlan, after: Sequence[TerraformResource]
    ) -> TerraformResource:
        return addressed(
            ConfigMapV1(
                self,
                "files",
                metadata=ConfigMapV1Metadata(name=plan.config_map, namespace=namespace),
                data=plan.texts or None,
                binary_data=plan.binaries or None,
                immutable=True,
                depends_on=list(after),
                # The last run has its files until it goes.
                lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
            )
        )


def _mpi_job(plan: MpiJobPlan) -> dict[str, Any]:
    labels = {"labels": {"kueue.x-k8s.io/queue-name": plan.queue}} if plan.queue else {}
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": plan.name, "namespace": plan.namespace, **labels},
        "spec": {
            "slotsPerWorker": plan.slots,
            "mpiImplementation": plan.implementation,
            "sshAuthMountPath": plan.ssh_path,
            # A launcher that comes first finds nobody, and uses its retries up.
            "launcherCreationPolicy": "WaitForWorkersReady",
            "runPolicy": {
                "cleanPodPolicy": plan.clean_pods,
                "backoffLimit": plan.retries,
                **({"activeDeadlineSeconds": plan.deadline_seconds} if plan.deadline_seconds else {}),
                # Kueue starts what is suspended.
                **({"suspend": True} if plan.queue else {}),
            },
            "mpiReplicaSpecs": {
                "Launcher": {"replicas": 1, "restartPolicy": "Never", "template": _launcher(plan)},
                "Worker": {"replicas": plan.workers.count, "template": _worker(plan)},
            },
        },
    }


def _launcher(plan: MpiJobPlan) -> dict[str, Any]:
    spec = _pod(plan)
    spec["containers"] = [_written({**_container(plan), "command": list(plan.command)})]
    if plan.pods.architecture != "amd64":
        # The image is made for the workers' processors.
        spec["nodeSelector"] = plan.workers.nodes
        spec["tolerations"] = tolerations(plan.workers.tolerations)
    return {"spec": _written(spec)}


def _worker(plan: MpiJobPlan) -> dict[str, Any]:
    fabric = plan.workers.fabric
    spec = _pod(plan)
    container = _container(plan)
    container["resources"] = _resources(plan)
    container["volumeMounts"].append({"name": "shared-memory", "mountPath": "/dev/shm"})  # noqa: S108 - of the pod
    if plan.workers.command:
        container["command"] = list(plan.workers.command)
    spec["volumes"].append({"name": "shared-memory", "emptyDir": _shared_memory(plan)})
    spec["nodeSelector"] = plan.workers.nodes
    spec["tolerations"] = tolerations(plan.workers.tolerations)
    spec["affinity"] = _apart(plan.name)
    daemons = []
    if fabric:
        container["volumeMounts"] += fabric_mounts(fabric)
        spec["volumes"] += fabric_volumes(fabric)
        capabilities = fabric_capabilities(fabric)
        if capabilities:
            container.setdefault("securityContext", {})["capabilities"] = {"add": capabilities}
        daemons = fabric_daemons(fabric)
    spec["containers"] = [_written(container), *daemons]
    metadata = {"metadata": {"annotations": fabric_annotations(fabric)}} if fabric else {}
    return {**metadata, "spec": _written(spec)}


def _written(part: dict[str, Any]) -> dict[str, Any]:
    """A part of a pod without what is empty."""
    return {key: value for key, value in part.items() if value not in ({}, [])}


def _pod(plan: MpiJobPlan) -> dict[str, Any]:
    """What launcher and workers have in common."""
    files = plan.files
    volumes = [{"name": "files", "configMap": {"name": files.config_map}}] if files else []
    account = plan.pods.service_account
    return {**({"serviceAccountName": account} if account else {}), "volumes": volumes}


def _container(plan: MpiJobPlan) -> dict[str, Any]:
    user = plan.pods.user_id
    destinations = plan.files.destinations if plan.files else {}
    return {
        "name": CONTAINER,
        "image": plan.pods.image,
        "env": [{"name": name, "value": value} for name, value in plan.pods.env.items()],
        "volumeMounts": [
            {"name": "files", "mountPath": path, "subPath": key, "readOnly": True}
            for key, path in destinations.items()
        ],
        **({"securityContext": {"runAsUser": user}} if user is not None else {}),
    }


def _resources(plan: MpiJobPlan) -> dict[str, Any]:
    workers = plan.workers
    requests = {
        **({"cpu": str(workers.cpus)} if workers.cpus else {}),
        **({"memory": f"{workers.memory_gb}Gi"} if workers.memory_gb else {}),
    }
    limits = {
        **({"memory": f"{workers.memory_gb}Gi"} if workers.memory_gb else {}),
        **({"nvidia.com/gpu": str(workers.gpus)} if workers.gpus else {}),
    }
    return {**({"requests": requests} if requests else {}), **({"limits": limits} if limits else {})}


def _shared_memory(plan: MpiJobPlan) -> dict[str, Any]:
    size = plan.workers.shared_memory_gb
    return {"medium": "Memory", **({"sizeLimit": f"{size}Gi"} if size else {})}


def _apart(name: str) -> dict[str, Any]:
    """Each worker on a node of its own."""
    return {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {
                    "labelSelector": {"matchLabels": {_JOB_LABEL: name, _ROLE_LABEL: "worker"}},
                    "topologyKey": _HOSTNAME,
                }
            ]
        }
    }
