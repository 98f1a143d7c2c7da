"""JobSets, TrainJobs and LeaderWorkerSets: where their pods run, and what each of them gets."""

from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import JobSet, LeaderWorkerSet, PodGroup, TrainJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import durations, existing, placement, pod_groups, trainer, volume_mounts
from clusterprint.derived.run_names import checksummed, run_name
from clusterprint.errors import InternalError
from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pod_groups import GroupPodPlan, JobSetPlan, LeaderWorkerSetPlan, TrainerPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.kubernetes import FabricPlan
from clusterprint.resolve.gke.checkpoints import resolve_folder
from clusterprint.resolve.gke.compute_domains import resolve_domain
from clusterprint.resolve.gke.fabrics import resolve_fabric, sourced
from clusterprint.resolve.gke.image_builds import image_of
from clusterprint.resolve.gke.job_files import resolve_files
from clusterprint.resolve.gke.pod_volumes import resolve_pod_volumes, seen
from clusterprint.resolve.gke.pods import (
    GPU,
    POOL_LABEL,
    SHARED_MEMORY,
    TPU,
    resolve_class,
    resolve_tolerations,
    selector_of,
    whole_node,
)
from clusterprint.resolve.gke.queued import PODSET_GROUP, queue_labels, topology_annotations

# The names of the jobs in a JobSet and of the program's container, and the number that each job is given.
_JOBS = "workers"
_CONTAINER = "main"
_REPLICA = "metadata.annotations['jobset.sigs.k8s.io/job-index']"


class _Place(NamedTuple):
    """Where the pods of a group run: a pool of the blueprint, and those of GKE that it or its class is."""

    pool: NodePool
    plans: list[PoolPlan]
    replicas: int
    pods: int


def resolve_jobsets(blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path) -> tuple[JobSetPlan, ...]:
    """All JobSets and TrainJobs whose image is there."""
    jobs: tuple[JobSet | TrainJob, ...] = (*blueprint.workloads.jobsets, *blueprint.workloads.train_jobs)
    return tuple(
        _jobset(each, image, blueprint, cluster, folder)
        for each in jobs
        if (image := image_of(each, blueprint, folder))
    )


def resolve_leader_worker_sets(
    blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path
) -> tuple[LeaderWorkerSetPlan, ...]:
    """All LeaderWorkerSets whose image is there."""
    return tuple(
        _leader_worker_set(each, image, blueprint, cluster, folder)
        for each in blueprint.workloads.leader_worker_sets
        if (image := image_of(each, blueprint, folder))
    )


def _jobset(
    job: JobSet | TrainJob, image: str, blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path
) -> JobSetPlan:
    place = _place(job, blueprint, cluster)
    files = resolve_files(job.files, folder)
    content = (files.texts, files.binaries, files.destinations) if files else ()
    # Another volume behind a mount is another run, too.
    mounted = (seen(_volumes(job, blueprint)),) if job.mounts else ()
    # So is another image of the same build.
    built = () if job.build is UNSET else (image,)
    name = run_name(job.name, job, place.replicas, place.pods, *content, *mounted, *built)
    domain = resolve_domain(name, blueprint, place.pool, place.replicas * place.pods)
    if isinstance(job, TrainJob):
        # Trainer knows its pods by this name, and tells them where they meet.
        pod = _pod(job, image, blueprint, place, given={}, fields={})
        pod = msgspec.structs.replace(pod, container=trainer.NODE)
    else:
        # The first pod of the first replica, by the name that the controller gives it.
        given = {
            "MASTER_ADDR": f"{name}-{_JOBS}-0-0.{name}",
            "REPLICAS": str(place.replicas),
            "PODS_PER_REPLICA": str(place.pods),
        }
        pod = _pod(job, image, blueprint, place, given=given, fields={"REPLICA_INDEX": _REPLICA})
        if job.checkpoints is not UNSET:
            pod = msgspec.structs.replace(pod, checkpoints=resolve_folder(job.checkpoints))
    return JobSetPlan(
        key=job.name,
        name=name,
        namespace=job.namespace,
        job=trainer.NODE if isinstance(job, TrainJob) else _JOBS,
        command=sourced(job.command, pod.fabric),
        pod=msgspec.structs.replace(
            pod, files=msgspec.structs.replace(files, config_map=name) if files else None
        ),
        replicas=place.replicas,
        pods=place.pods,
        exclusive=POOL_LABEL if pod_groups.is_exclusive(job, place.pool) else "",
        retries=job.retries,
        deadline_seconds=0 if job.time_limit is UNSET else durations.seconds(job.time_limit),
        queue=queue_labels(job.queue, job.priority),
        domain=domain,
        trainer=_trainer(job, place) if isinstance(job, TrainJob) else None,
    )


def _trainer(job: TrainJob, place: _Place) -> TrainerPlan:
    """One process for each GPU: Trainer itself would start one for each vCPU of nodes without."""
    accelerator = place.plans[0].node.accelerator
    usual = accelerator.count if accelerator else 1
    processes = usual if job.processes_per_node is UNSET else job.processes_per_node
    return TrainerPlan(
        policy=trainer.RUNTIMES[job.runtime].policy,
        processes=processes if job.runtime == "torch-distributed" else 0,
    )


def _leader_worker_set(
    group: LeaderWorkerSet, image: str, blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path
) -> LeaderWorkerSetPlan:
    place = _place(group, blueprint, cluster)
    files = resolve_files(group.files, folder)
    domain = resolve_domain(group.name, blueprint, place.pool, place.replicas * place.pods)
    pod = _pod(group, image, blueprint, place, given={}, fields={})
    if pod.annotations and place.pods > 1:
        # Leader and workers are counted apart, and would be put apart.
        annotations = {**pod.annotations, PODSET_GROUP: group.name}
        pod = msgspec.structs.replace(pod, annotations=annotations)
    if files:
        # Other content is another name, and so another template: running pods keep theirs.
        content = [files.texts, files.binaries]
        files = msgspec.structs.replace(files, config_map=checksummed(group.name, content))
    return LeaderWorkerSetPlan(
        name=group.name,
        namespace=group.namespace,
        leader_command=sourced(group.leader_command or group.command, pod.fabric),
        worker_command=sourced(group.command, pod.fabric),
        pod=msgspec.structs.replace(pod, files=files),
        replicas=place.replicas,
        size=place.pods,
        exclusive=POOL_LABEL if pod_groups.is_exclusive(group, place.pool) else "",
        port=0 if group.port is UNSET else group.port,
        service=pod_groups.leaders_service(group.name),
        leaders=pod_groups.leaders(group.name),
        members=pod_groups.members(group.name),
        queue=queue_labels(group.queue, group.priority),
        domain=domain,
    )


def _place(group: PodGroup, blueprint: GkeBlueprint, cluster: GkeClusterPlan) -> _Place:
    pools = placement.pools_of(group, existing.pools(blueprint), blueprint.compute_classes)
    plans = [each for pool in pools for each in (*cluster.pools, *cluster.nodes) if each.group == pool.name]
    if not plans:
        raise InternalError(f"{group.name} passed validation, but there is no pool for it")
    # The pools of a class are alike in what pods ask for.
    pool = pools[0]
    return _Place(pool, plans, pod_groups.replicas(group, pool), pod_groups.pods(group, pool))


def _pod(  # noqa: PLR0913 - what kinds of groups differ in
    group: PodGroup,
    image: str,
    blueprint: GkeBlueprint,
    place: _Place,
    *,
    given: dict[str, str],
    fields: dict[str, str],
) -> GroupPodPlan:
    """Settings that do not depend on the kind of group; variables of the blueprint win over those `given`."""
    plan = place.plans[0]
    fabric: FabricPlan | None = resolve_fabric(plan, blueprint.workloads.nccl)
    requests, limits = _resources(group, place.plans)
    nodes, tolerations = (
        (selector_of(plan), resolve_tolerations(plan))
        if group.compute_class is UNSET
        else resolve_class(group.compute_class, place.plans)
    )
    return GroupPodPlan(
        container=_CONTAINER,
        image=image,
        env={**given, **(fabric.env if fabric else {}), **group.env},
        fields={name: field for name, field in fields.items() if name not in group.env},
        working_dir=_text(group.working_dir),
        user_id=None if group.user_id is UNSET else group.user_id,
        service_account=volume_mounts.account_of(group, blueprint),
        nodes=nodes,
        tolerations=tolerations,
        annotations=topology_annotations(
            group.queue, group.keep_within, place.pool.name, blueprint.workloads
        ),
        requests=requests,
        limits=limits,
        shared_memory_gb=0 if group.shared_memory_gb is UNSET else group.shared_memory_gb,
        shared_memory_path=SHARED_MEMORY,
        fabric=fabric,
        claim=plan.claim,
        files=None,
        volumes=_volumes(group, blueprint),
        grace_seconds=0 if group.grace_period is UNSET else durations.seconds(group.grace_period),
    )


def _volumes(group: PodGroup, blueprint: GkeBlueprint) -> PodVolumesPlan:
    return resolve_pod_volumes(group.mounts, blueprint, group=0 if group.user_id is UNSET else group.user_id)


def _resources(group: PodGroup, pools: list[PoolPlan]) -> tuple[dict[str, str], dict[str, str]]:
    """Requests and limits of a pod: it has its node for itself, and so its accelerators or vCPUs."""
    memory = {} if group.memory_gb_per_pod is UNSET else {"memory": f"{group.memory_gb_per_pod}Gi"}
    asked = whole_node(pools) if group.cpus_per_pod is UNSET else group.cpus_per_pod
    cpus = {"cpu": str(asked)} if asked else {}
    accelerator, tpu = pools[0].node.accelerator, pools[0].node.tpu
    devices = {
        **({GPU: str(accelerator.count)} if accelerator else {}),
        **({TPU: str(tpu.chips_per_node)} if tpu else {}),
    }
    return {**cpus, **memory}, {**memory, **devices}


def _text(value: str | UnsetType) -> str:
    return "" if value is UNSET else value
