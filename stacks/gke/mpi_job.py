"""An MPI job: its files, its launcher and its workers."""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from constructs import Construct

from clusterprint.plan.gke.mpi import MpiFilesPlan, MpiJobPlan, MpiLauncherPlan, MpiWorkersPlan
from stacks.addresses import addressed
from stacks.kubernetes.fabric import (
    fabric_annotations,
    fabric_daemons,
    fabric_mounts,
    fabric_volumes,
)
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.pod import (
    Account,
    Container,
    Memory,
    Mount,
    Pod,
    PodSpec,
    Resources,
    Scheduling,
    Volume,
    variables,
)
from stacks.kubernetes.pod_volumes import use_volumes
from stacks.kubernetes.tolerations import tolerations

CONTAINER = "mpi"
_HOSTNAME = "kubernetes.io/hostname"
_JOB_LABEL = "training.kubeflow.org/job-name"
_ROLE_LABEL = "training.kubeflow.org/job-role"


Part = TypeVar("Part", Container, PodSpec)


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


def _launcher(plan: MpiJobPlan) -> Pod:
    container = _container(plan)
    launcher = plan.launcher
    container["command"] = list(launcher.command)
    container["env"] = [*container["env"], *variables(launcher.env)]
    container["resources"] = _amounts(launcher.requests, launcher.limits)
    spec = PodSpec(
        **_account(plan),
        volumes=_files(plan),
        containers=[],
        **(_place(launcher) if launcher.nodes else Scheduling()),
    )
    use_volumes(spec, container, launcher.volumes)
    spec["containers"] = [_written(container)]
    return _pod(spec, launcher.volumes.annotations)


def _worker(plan: MpiJobPlan) -> Pod:
    workers, fabric = plan.workers, plan.workers.fabric
    container = _container(plan)
    container["resources"] = _resources(plan)
    # The operator starts the launcher when all workers are ready; names of others do not even resolve.
    container["readinessProbe"] = {"tcpSocket": {"port": workers.ssh_port}}
    container["volumeMounts"].append({"name": "shared-memory", "mountPath": workers.shared_memory_path})
    if workers.command:
        container["command"] = list(workers.command)
    if fabric:
        container["volumeMounts"] += fabric_mounts(fabric)
        if fabric.capabilities:
            container.setdefault("securityContext", {})["capabilities"] = {"add": list(fabric.capabilities)}
    memory = Volume(name="shared-memory", emptyDir=_shared_memory(plan))
    spec = PodSpec(
        **_account(plan),
        volumes=[*_files(plan), memory, *(fabric_volumes(fabric) if fabric else [])],
        **_place(workers),
        affinity=_apart(plan.name),
        containers=[],
    )
    use_volumes(spec, container, workers.volumes)
    spec["containers"] = [_written(container), *(fabric_daemons(fabric) if fabric else [])]
    annotations = {**workers.volumes.annotations, **(fabric_annotations(fabric) if fabric else {})}
    return _pod(spec, annotations)


def _pod(spec: PodSpec, annotations: dict[str, str]) -> Pod:
    if annotations:
        return Pod(metadata={"annotations": annotations}, spec=_written(spec))
    return Pod(spec=_written(spec))


def _written(part: Part) -> Part:
    """A part of a pod without what is empty."""
    return cast("Part", {key: value for key, value in part.items() if value not in ({}, [])})


def _account(plan: MpiJobPlan) -> Account:
    account = plan.pods.service_account
    return Account(serviceAccountName=account) if account else Account()


def _files(plan: MpiJobPlan) -> list[Volume]:
    return [Volume(name="files", configMap={"name": plan.files.config_map})] if plan.files else []


def _place(plan: MpiLauncherPlan | MpiWorkersPlan) -> Scheduling:
    """Nodes of a pool."""
    return Scheduling(nodeSelector=plan.nodes, tolerations=tolerations(plan.tolerations))


def _container(plan: MpiJobPlan) -> Container:
    user = plan.pods.user_id
    destinations = plan.files.destinations if plan.files else {}
    container = Container(
        name=CONTAINER,
        image=plan.pods.image,
        env=variables(plan.pods.env),
        volumeMounts=[
            Mount(name="files", mountPath=path, subPath=key, readOnly=True)
            for key, path in destinations.items()
        ],
    )
    if plan.pods.working_dir:
        container["workingDir"] = plan.pods.working_dir
    if user is not None:
        container["securityContext"] = {"runAsUser": user}
    return container


def _resources(plan: MpiJobPlan) -> Resources:
    workers = plan.workers
    requests = {
        **({"cpu": str(workers.cpus)} if workers.cpus else {}),
        **({"memory": f"{workers.memory_gb}Gi"} if workers.memory_gb else {}),
    }
    limits = {
        **({"memory": f"{workers.memory_gb}Gi"} if workers.memory_gb else {}),
        **({"nvidia.com/gpu": str(workers.gpus)} if workers.gpus else {}),
    }
    return _amounts(requests, limits)


def _amounts(requests: dict[str, str], limits: dict[str, str]) -> Resources:
    resources = Resources()
    if requests:
        resources["requests"] = requests
    if limits:
        resources["limits"] = limits
    return resources


def _shared_memory(plan: MpiJobPlan) -> Memory:
    memory = Memory(medium="Memory")
    if plan.workers.shared_memory_gb:
        memory["sizeLimit"] = f"{plan.workers.shared_memory_gb}Gi"
    return memory


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
