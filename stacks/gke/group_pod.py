"""A pod of a JobSet or of a LeaderWorkerSet."""

from clusterprint.plan.gke.jobs import ComputeDomainPlan
from clusterprint.plan.gke.pod_groups import GroupPodPlan
from stacks.gke.checkpoints import save_checkpoints
from stacks.gke.compute_domain import join_domain
from stacks.gke.job_files import file_mounts, file_volumes
from stacks.kubernetes.device_claims import claim_devices
from stacks.kubernetes.fabric import fabric_annotations, fabric_daemons, fabric_mounts, fabric_volumes
from stacks.kubernetes.pod import (
    KEPT,
    Account,
    Container,
    Metadata,
    Pod,
    PodSpec,
    Scheduling,
    Volume,
    amounts,
    apart,
    fields,
    grace,
    shared_memory,
    variables,
    written,
)
from stacks.kubernetes.pod_volumes import use_volumes
from stacks.kubernetes.tolerations import tolerations

#: What pods of one group have in common, so that each gets a node of its own.
GROUP_LABEL = "clusterprint/group"


def group_pod(
    plan: GroupPodPlan,
    *,
    group: str,
    command: tuple[str, ...],
    domain: ComputeDomainPlan | None,
    port: int = 0,
    restart: str = "",
) -> Pod:
    """A pod of `group`; with a `port` it is ready when that answers. `restart` may be left to Kubernetes."""
    fabric = plan.fabric
    container = _container(plan, command)
    if port:
        container["ports"] = [{"name": "serve", "containerPort": port}]
        container["readinessProbe"] = {"tcpSocket": {"port": port}}
    memory = Volume(name="shared-memory", emptyDir=shared_memory(plan.shared_memory_gb))
    labels = {GROUP_LABEL: group}
    account = plan.service_account
    spec = PodSpec(
        **(Account(serviceAccountName=account) if account else Account()),
        **(Scheduling(restartPolicy=restart) if restart else Scheduling()),
        **grace(plan.grace_seconds),
        nodeSelector=plan.nodes,
        tolerations=tolerations(plan.tolerations),
        affinity=apart(labels),
        volumes=[*file_volumes(plan.files), memory, *(fabric_volumes(fabric) if fabric else [])],
        containers=[],
    )
    use_volumes(spec, container, plan.volumes)
    if plan.checkpoints:
        save_checkpoints(spec, container, plan.checkpoints)
    spec["containers"] = [written(container), *(fabric_daemons(fabric) if fabric else [])]
    annotations = {
        **KEPT,
        **plan.volumes.annotations,
        **(fabric_annotations(fabric) if fabric else {}),
        **plan.annotations,
    }
    metadata = Metadata(labels=labels, annotations=annotations)
    return Pod(metadata=metadata, spec=claim_devices(join_domain(written(spec), domain), plan.claim))


def _container(plan: GroupPodPlan, command: tuple[str, ...]) -> Container:
    fabric = plan.fabric
    container = Container(
        name=plan.container,
        image=plan.image,
        command=list(command),
        env=[*variables(plan.env), *fields(plan.fields)],
        resources=amounts(plan.requests, plan.limits),
        volumeMounts=[
            *file_mounts(plan.files),
            {"name": "shared-memory", "mountPath": plan.shared_memory_path},
            *(fabric_mounts(fabric) if fabric else []),
        ],
    )
    if plan.working_dir:
        container["workingDir"] = plan.working_dir
    if plan.user_id is not None:
        container["securityContext"] = {"runAsUser": plan.user_id}
    if fabric and fabric.capabilities:
        container.setdefault("securityContext", {})["capabilities"] = {"add": list(fabric.capabilities)}
    return container
