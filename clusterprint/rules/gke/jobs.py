import json

from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup, RunOfPods
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import compute_domains, names, pod_groups
from clusterprint.image import lock
from clusterprint.rules import _paths
from clusterprint.rules._repeated import repeated
from clusterprint.rules.gke._jobs import Job, pool_of
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, counted, given, rule

_MOST_BYTES = 1 << 20
# etcd takes no request of more than 1.5 MiB; the rest of it is for what else a job says, and for what the API
# server notes of each field.
_MOST_MOUNTS = 1 << 20


@rule("GKE106", severity=Severity.ERROR, firm=True)
def job_files_too_large(job: Job, context: Context) -> Iterator[Finding]:
    files = [each for copy in job.files for each in _paths.copied(copy, context)]
    size = sum(entry.size for _, entry in files)
    # JobSets and TrainJobs have pods of one kind, the others of two.
    mounts = (1 if isinstance(job, RunOfPods) else 2) * sum(_mount(destination) for destination, _ in files)
    if size > _MOST_BYTES:
        yield Finding(
            f"the files of {job.noun} {job.name} are {size:,} bytes in all, but a ConfigMap holds "
            f"{_MOST_BYTES:,}",
            context.at_key(job, "files"),
            help="put large files into the image or into a bucket",
        )
    elif mounts > _MOST_MOUNTS:
        yield Finding(
            f"the mounts of the {len(files):,} files of {job.name} take {mounts:,} bytes of its object, "
            f"and there is room for {_MOST_MOUNTS:,}: etcd takes no object of more than 1.5 MiB",
            context.at_key(job, "files"),
            help="pack them into an archive that the job's command unpacks, or put them into the image",
        )


def _mount(destination: str) -> int:
    """How much the mount of a file takes, in bytes."""
    key = destination.rpartition("/")[2]
    mount = {"name": "files", "mountPath": destination, "subPath": key, "readOnly": True}
    return len(json.dumps(mount, separators=(",", ":"))) + 1


@rule("GKE107", severity=Severity.ERROR, firm=True)
def job_files_collide(job: Job, context: Context) -> Iterator[Finding]:
    home = _home(job) if isinstance(job, MpiJob) else ""
    landed: dict[str, FileCopy] = {}
    for copy in job.files:
        for path, entry in _paths.copied(copy, context):
            before = landed.setdefault(path, copy)
            if before is not copy:
                yield Finding(
                    f"{_paths.shown(entry.name)} is copied to {_paths.shown(path)}, and so is another file",
                    context.at(copy, "destination"),
                    also=(context.at(before, "destination", text="the other one"),),
                    help="give it another destination",
                )
            elif home and (path == f"{home}/.ssh" or path.startswith(f"{home}/.ssh/")):
                yield Finding(
                    f"{_paths.shown(entry.name)} is copied into {home}/.ssh, where the job's own keys are",
                    context.at(copy, "destination"),
                    help="give it another destination",
                )


def _home(job: MpiJob) -> str:
    return "/root" if job.ssh_user == "root" else f"/home/{job.ssh_user}"


@rule("GKE327", severity=Severity.ERROR, firm=True)
def job_beyond_nvlink_domain(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    pool = pool_of(job, context)
    if pool is None:
        return
    domain, pods = compute_domains.domain_nodes(pool), _pods(job, pool)
    if not domain or pods <= domain:
        return
    racks = -(-pods // domain)
    yield Finding(
        f"{job.noun} {job.name} asks for {counted(pods, 'node')}, but the NVLink domain of pool "
        f"{pool.name} has {domain}",
        context.at(job, "workers" if isinstance(job, MpiJob) else "name"),
        also=(machine_label(pool, context),),
        help=f"{pods} nodes are {racks} domains: make {racks} pools, with a job of at most {domain} on each",
    )


def _pods(job: Job, pool: NodePool) -> int:
    if isinstance(job, MpiJob):
        return job.workers
    return pod_groups.replicas(job, pool) * pod_groups.pods(job, pool)


@rule("GKE242", severity=Severity.ERROR, firm=True)
def job_name_taken(workloads: Workloads, context: Context) -> Iterator[Finding]:
    jobs: tuple[Job, ...] = (
        *(workloads.mpi.jobs if given(workloads.mpi) else ()),
        *workloads.jobsets,
        *workloads.train_jobs,
    )
    for job, before in again(jobs, lambda each: each.name):
        if isinstance(job, RunOfPods):
            yield Finding(
                f"there are two jobs called {job.name}",
                context.at(job, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name; to run a job again, change its run",
            )
    yield from repeated(
        workloads.leader_worker_sets,
        context,
        lambda each: f"there are two LeaderWorkerSets called {each.name}",
        help="give one of them another name",
    )


@rule("GKE387", severity=Severity.NOTE)
def job_waits_for_image(job: MpiJob | PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not given(job.build) or job.build not in {each.name for each in context.blueprint.image_builds}:
        return
    name = names.build_lock(context.blueprint.name, job.build)
    try:
        locked = lock.read(context.folder / name)
    except lock.BrokenLock:
        return  # which another rule says
    if locked is None:
        yield Finding(
            f"{job.noun} {job.name} is left out until image {job.build} has been built",
            context.at(job, "build"),
            help="`clusterprint up BLUEPRINT --build-images` creates the cluster, the image and the job",
        )
