"""MPI jobs: what each run is called, what launcher and workers run, and where."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi import Mpi
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import durations, existing, placement, volume_mounts
from clusterprint.derived.run_names import run_name
from clusterprint.errors import InternalError
from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.mpi import (
    CleanPods,
    Implementation,
    MpiJobPlan,
    MpiPlan,
    MpiPodsPlan,
    MpiWorkersPlan,
)
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.kubernetes import FabricPlan, ProgramPlan
from clusterprint.resolve.gke.compute_domains import resolve_domain
from clusterprint.resolve.gke.fabrics import process_count, resolve_fabric
from clusterprint.resolve.gke.image_builds import image_of
from clusterprint.resolve.gke.job_files import resolve_files
from clusterprint.resolve.gke.mpi_command import launcher_command
from clusterprint.resolve.gke.mpi_launcher import resolve_launcher
from clusterprint.resolve.gke.pod_volumes import resolve_pod_volumes, seen
from clusterprint.resolve.gke.pods import (
    SHARED_MEMORY,
    resolve_class,
    resolve_tolerations,
    selector_of,
    whole_node,
)
from clusterprint.resolve.gke.queued import queue_labels, topology_annotations

# What GKE calls clusters inside, unless Cloud DNS is given another name.
_CLUSTER_DOMAIN = "cluster.local"

_CONTAINER = "mpi"

_CLEAN_PODS: dict[str, CleanPods] = {"running": "Running", "all": "All", "none": "None"}
_IMPLEMENTATIONS: dict[str, Implementation] = {"open_mpi": "OpenMPI", "intel": "Intel", "mpich": "MPICH"}


def resolve_mpi(mpi: Mpi, blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path) -> MpiPlan:
    """The operator and all jobs."""
    image, operator = mpi.operator_image, catalog.component("mpi-operator")
    return MpiPlan(
        operator_namespace=operator.namespace,
        operator=ProgramPlan(
            image=operator.image if image is UNSET else image,
            args=(
                "-alsologtostderr",
                f"--lock-namespace={operator.namespace}",
                # Whole names of workers: fewer questions to the DNS, and none that another domain answers.
                f"--cluster-domain={_CLUSTER_DOMAIN}",
            ),
            non_root=False,
        ),
        jobs=tuple(
            _job(job, image, mpi.namespace, blueprint, cluster, folder)
            for job in mpi.jobs
            if (image := image_of(job, blueprint, folder))
        ),
    )


def _job(  # noqa: PLR0913, PLR0917 - what a job is made from
    job: MpiJob,
    image: str,
    namespace: str,
    blueprint: GkeBlueprint,
    cluster: GkeClusterPlan,
    folder: Path,
) -> MpiJobPlan:
    said, plans = _pools(job, blueprint, cluster)
    pool = plans[0]
    slots = _slots(job, pool)
    fabric = resolve_fabric(pool, blueprint.workloads.nccl)
    files = resolve_files(job.files, folder)
    env = {
        **(fabric.env if fabric else {}),
        **process_count(pool, job.workers * slots),
        **job.env,
    }
    content = (files.texts, files.binaries, files.destinations) if files else ()
    volumes = {disks: _volumes(job, blueprint, disks=disks) for disks in (False, True)}
    mounted = (seen(volumes[True]),) if job.mounts else ()
    # So is another image of the same build.
    built = () if job.build is UNSET else (image,)
    name = run_name(job.name, job, slots, *content, *mounted, *built)
    annotations = topology_annotations(job.queue, job.keep_within, said.name, blueprint.workloads)
    command = launcher_command(job, job.workers * slots, env, fabric)
    return MpiJobPlan(
        key=job.name,
        name=name,
        namespace=namespace,
        container=_CONTAINER,
        pods=MpiPodsPlan(
            image=image,
            env=env,
            user_id=None if job.user_id is UNSET else job.user_id,
            service_account=volume_mounts.account_of(job, blueprint),
            grace_seconds=0 if job.grace_period is UNSET else durations.seconds(job.grace_period),
            working_dir="" if job.working_dir is UNSET else job.working_dir,
        ),
        launcher=resolve_launcher(job, command, pool, cluster, volumes[False], placed=bool(annotations)),
        workers=_workers(job, plans, fabric, volumes[True], annotations),
        slots=slots,
        implementation=_IMPLEMENTATIONS[job.implementation],
        ssh_path="" if job.ssh_user == "root" else f"/home/{job.ssh_user}/.ssh",
        files=msgspec.structs.replace(files, config_map=name) if files else None,
        clean_pods=_CLEAN_PODS[job.clean_pods],
        deadline_seconds=0 if job.time_limit is UNSET else durations.seconds(job.time_limit),
        retries=job.retries,
        queue=queue_labels(job.queue, job.priority),
        domain=resolve_domain(name, blueprint, said, job.workers),
    )


def _volumes(job: MpiJob, blueprint: GkeBlueprint, *, disks: bool) -> PodVolumesPlan:
    """Disks are for workers: launchers run beside the system, on machines that take no Hyperdisk."""
    group = 0 if job.user_id is UNSET else job.user_id
    return resolve_pod_volumes(job.mounts, blueprint, disks=disks, group=group)


def _workers(
    job: MpiJob,
    pools: Sequence[PoolPlan],
    fabric: FabricPlan | None,
    volumes: PodVolumesPlan,
    annotations: dict[str, str],
) -> MpiWorkersPlan:
    pool = pools[0]
    accelerator = pool.node.accelerator
    nodes, tolerations = (
        (selector_of(pool), resolve_tolerations(pool))
        if job.compute_class is UNSET
        else resolve_class(job.compute_class, pools)
    )
    return MpiWorkersPlan(
        count=job.workers,
        ssh_port=job.ssh_port,
        command=job.worker_command,
        nodes=nodes,
        tolerations=tolerations,
        # A worker has its node for itself, and so all of its GPUs or vCPUs.
        gpus=accelerator.count if accelerator else 0,
        cpus=whole_node(pools) if job.cpus_per_worker is UNSET else job.cpus_per_worker,
        memory_gb=0 if job.memory_gb_per_worker is UNSET else job.memory_gb_per_worker,
        shared_memory_gb=0 if job.shared_memory_gb is UNSET else job.shared_memory_gb,
        shared_memory_path=SHARED_MEMORY,
        fabric=fabric,
        claim=pool.claim,
        volumes=volumes,
        annotations=annotations,
    )


def _pools(job: MpiJob, blueprint: GkeBlueprint, cluster: GkeClusterPlan) -> tuple[NodePool, list[PoolPlan]]:
    """The first pool of the workers, as the blueprint has it, and all of them as the plan has them."""
    pools = placement.pools_of(job, existing.pools(blueprint), blueprint.compute_classes)
    plans = [each for pool in pools for each in (*cluster.pools, *cluster.nodes) if each.group == pool.name]
    if not plans:
        raise InternalError(f"MPI job {job.name} passed validation, but there is no pool for it")
    return pools[0], plans


def _slots(job: MpiJob, pool: PoolPlan) -> int:
    if job.slots_per_worker is not UNSET:
        return job.slots_per_worker
    return pool.node.accelerator.count if pool.node.accelerator else 1
