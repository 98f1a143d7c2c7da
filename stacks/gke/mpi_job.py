"""An MPI job: its launcher and its workers."""

from typing import Any

from clusterprint.plan.gke.mpi import MpiJobPlan, MpiLauncherPlan, MpiWorkersPlan
from stacks.gke.compute_domain import join_domain
from stacks.gke.job_files import file_mounts, file_volumes
from stacks.kubernetes.device_claims import claim_devices
from stacks.kubernetes.fabric import (
    fabric_annotations,
    fabric_daemons,
    fabric_mounts,
    fabric_volumes,
)
from stacks.kubernetes.pod import (
    KEPT,
    Account,
    Container,
    Pod,
    PodSpec,
    Resources,
    Scheduling,
    Volume,
    amounts,
    apart,
    grace,
    shared_memory,
    variables,
    written,
)
from stacks.kubernetes.pod_volumes import use_volumes
from stacks.kubernetes.tolerations import tolerations

_JOB_LABEL = "training.kubeflow.org/job-name"
_ROLE_LABEL = "training.kubeflow.org/job-role"


def mpi_job(plan: MpiJobPlan) -> dict[str, Any]:
    """The object of one run."""
    labels = {"labels": plan.queue} if plan.queue else {}
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": plan.name, "namespace": plan.namespace, **labels},
        "spec": {
            "slotsPerWorker": plan.slots,
            "mpiImplementation": plan.implementation,
            **({"sshAuthMountPath": plan.ssh_path} if plan.ssh_path else {}),
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
    container["resources"] = amounts(launcher.requests, launcher.limits)
    spec = PodSpec(
        **_account(plan),
        volumes=file_volumes(plan.files),
        containers=[],
        **(_place(launcher) if launcher.nodes else Scheduling()),
        **grace(plan.pods.grace_seconds),
    )
    use_volumes(spec, container, launcher.volumes)
    spec["containers"] = [written(container)]
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
    memory = Volume(name="shared-memory", emptyDir=shared_memory(workers.shared_memory_gb))
    spec = PodSpec(
        **_account(plan),
        volumes=[*file_volumes(plan.files), memory, *(fabric_volumes(fabric) if fabric else [])],
        **_place(workers),
        **grace(plan.pods.grace_seconds),
        affinity=apart({_JOB_LABEL: plan.name, _ROLE_LABEL: "worker"}),
        containers=[],
    )
    use_volumes(spec, container, workers.volumes)
    spec["containers"] = [written(container), *(fabric_daemons(fabric) if fabric else [])]
    annotations = {
        **workers.volumes.annotations,
        **(fabric_annotations(fabric) if fabric else {}),
        **workers.annotations,
    }
    return _pod(claim_devices(join_domain(written(spec), plan.domain), workers.claim), annotations)


def _pod(spec: PodSpec, annotations: dict[str, str]) -> Pod:
    return Pod(metadata={"annotations": {**KEPT, **annotations}}, spec=written(spec))


def _account(plan: MpiJobPlan) -> Account:
    account = plan.pods.service_account
    return Account(serviceAccountName=account) if account else Account()


def _place(plan: MpiLauncherPlan | MpiWorkersPlan) -> Scheduling:
    """Nodes of a pool."""
    return Scheduling(nodeSelector=plan.nodes, tolerations=tolerations(plan.tolerations))


def _container(plan: MpiJobPlan) -> Container:
    user = plan.pods.user_id
    container = Container(
        name=plan.container,
        image=plan.pods.image,
        env=variables(plan.pods.env),
        volumeMounts=file_mounts(plan.files),
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
    return amounts(requests, limits)
