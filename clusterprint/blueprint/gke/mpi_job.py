"""One MPI job, as its users describe it."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import JobFile
from clusterprint.blueprint.gke.job_fields import (
    JOB_RELATIONS,
    NODES,
    RETRIED,
    GracePeriod,
    JobBuild,
    JobClass,
    JobPriority,
    KeepWithin,
    RunWord,
    SharedMemory,
    UserId,
    WorkingDir,
)
from clusterprint.blueprint.gke.mounts import EXAMPLES, VolumeMount
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    ExactlyOne,
    Excludes,
    Forbids,
    Names,
    Relation,
    Within,
    unless,
    when,
)
from clusterprint.blueprint.texts import (
    ContainerImage,
    Duration,
    EnvironmentName,
    JobName,
    PlainText,
    choice,
    looks_like,
)

UserName = Annotated[
    str,
    looks_like("^[a-z_][-a-z0-9_]{0,31}$", "the name of a Linux user", "mpiuser"),
]


class MpiJob(Part, frozen=True, kw_only=True):
    """A parallel program: one launcher starts it on all workers over SSH.

    The image must contain the program, an MPI library and an SSH server. Any change here, including to the
    files, starts a new run; the finished one is removed.
    """

    noun: ClassVar[str] = "MPI job"
    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE101", when("name"), (when("@has_pool", False),)),
        Excludes("GKE102", when("@pool"), when("@pool.@tpu")),
        Within("GKE103", "workers", most="@nodes_for_pods"),
        Excludes("GKE104", when("slots_per_worker"), when("@pool.machine_type"), (when("@other_gpus"),)),
        Excludes(
            "GKE104",
            when("slots_per_worker"),
            when("@pool.machine_type"),
            (when("@few_vcpus"),),
            words="vcpus",
        ),
        Excludes(
            "GKE117",
            when("launcher_cpus"),
            when("@pool.capacity.queued"),
            (when("queue"), when("@pool.@gpus", False)),
        ),
        Within("GKE105", "cpus_per_worker", most="@pool.@free_vcpus", words="vcpus"),
        Within("GKE105", "memory_gb_per_worker", most="@pool.@free_memory_gb", words="memory"),
        Excludes(
            "GKE162", unless("ssh_port", 22), when("implementation", "intel", "mpich"), (when("command"),)
        ),
        Excludes(
            "GKE163",
            when("launcher_node_pool", "system"),
            when("queue"),
            (when("@is_placed"),),
            words="placed",
        ),
        Excludes(
            "GKE163",
            when("launcher_node_pool", "system"),
            when("queue"),
            (when("@is_placed", False), when("@launcher_asks")),
        ),
        ExactlyOne("GKE100", ("command", "launcher_command")),
        Excludes("GKE100", when("mpirun_options"), when("launcher_command")),
        Names("GKE101", "node_pool", NODES, "node pool"),
        Names("GKE161", "launcher_node_pool", NODES, "node pool", always=("system",)),
        RETRIED,
        *JOB_RELATIONS,
    )

    name: Annotated[JobName, Meta(description="Name of the job, and prefix of the names of its runs.")]
    image: Annotated[
        ContainerImage | UnsetType,
        Meta(description="Container image of launcher and workers. Alternative to `build`."),
    ] = UNSET
    build: JobBuild | UnsetType = UNSET
    workers: Annotated[
        int, Meta(ge=1, le=5000, description="Number of worker pods, each on its own node.", examples=[3])
    ]
    slots_per_worker: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1024,
            description="Processes per worker. Left out: one per GPU, or 1 on nodes without GPUs.",
            examples=[2],
        ),
    ] = UNSET
    command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="The program and its arguments. clusterprint prepends mpirun, with workers x "
            "slots processes. Alternative to `launcher_command`.",
            examples=[["xhpl"]],
        ),
    ] = ()
    mpirun_options: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="Additional mpirun options, after the derived ones.",
            examples=[["--bind-to", "core", "--map-by", "slot"]],
        ),
    ] = ()
    launcher_command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="The complete command of the launcher, for images that wrap mpirun. Alternative "
            "to `command`.",
            examples=[["su", "nixuser", "-c", "mpirun -np 6 xhpl"]],
        ),
    ] = ()
    launcher_node_pool: Annotated[
        PoolName | UnsetType,
        Meta(
            description="Node pool of the launcher; `system` is the system pool. Left out: any node that "
            "accepts it, usually of the system pool; nodes of the workers' pool if those are arm64.",
            examples=["system"],
        ),
    ] = UNSET
    launcher_cpus: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1024,
            description="vCPUs guaranteed to the launcher (its request). Left out: a quarter of one, or no "
            "guarantee with `queue`, which would count it.",
            examples=[1],
        ),
    ] = UNSET
    launcher_memory_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=65536,
            description="Memory of the launcher in GiB: guaranteed, and the maximum (request and limit). "
            "Left out: a quarter of one is guaranteed, or nothing with `queue`.",
            examples=[2],
        ),
    ] = UNSET
    worker_command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="Command of each worker. Left out: the operator's default, an SSH server.",
            examples=[["/usr/sbin/sshd", "-De", "-f", "/home/mpiuser/.sshd_config"]],
        ),
    ] = ()
    working_dir: Annotated[
        WorkingDir | UnsetType,
        Meta(description="Folder in which launcher and workers run their commands. Left out: the image's."),
    ] = UNSET
    files: Annotated[
        tuple[JobFile, ...],
        Meta(
            description="Files for launcher and workers, at most 1 MiB in total.",
            examples=[[{"source": "./HPL.dat", "destination": "/home/nixuser/HPL.dat"}]],
        ),
    ] = ()
    mounts: Annotated[
        tuple[VolumeMount, ...],
        Meta(
            description="Volumes of the workers, and of the launcher unless they are disks.",
            examples=EXAMPLES,
        ),
    ] = ()
    env: Annotated[
        dict[EnvironmentName, PlainText],
        Meta(
            description="Environment variables of launcher and workers, and of the processes that the "
            "derived mpirun starts. Do not put secrets here.",
            examples=[{"OMP_NUM_THREADS": "2"}],
        ),
    ] = {}
    node_pool: Annotated[
        PoolName | UnsetType,
        Meta(
            description="Node pool of the workers. Left out: the first pool without TPUs.",
            examples=["workers"],
        ),
    ] = UNSET
    compute_class: JobClass | UnsetType = UNSET
    cpus_per_worker: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1024,
            description="vCPUs guaranteed to each worker (its request). Left out: no guarantee, whatever is "
            "free on the node.",
            examples=[3],
        ),
    ] = UNSET
    memory_gb_per_worker: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=65536,
            description="Memory of each worker in GiB: guaranteed, and the maximum (request and limit). Left "
            "out: whatever is free on the node.",
            examples=[12],
        ),
    ] = UNSET
    shared_memory_gb: SharedMemory | UnsetType = UNSET
    implementation: Annotated[
        Literal["open_mpi", "intel", "mpich"],
        choice(
            description="MPI library in the image.",
            values={
                "open_mpi": "Open MPI.",
                "intel": "Intel MPI.",
                "mpich": "MPICH.",
            },
        ),
    ] = "open_mpi"
    ssh_user: Annotated[
        UserName,
        Meta(
            description="Linux user in the image for SSH between launcher and workers; SSH keys are "
            "stored in its home."
        ),
    ] = "root"
    ssh_port: Annotated[
        int,
        Meta(
            ge=1,
            le=65535,
            description="Port on which the SSH server of the workers listens. It is probed before the "
            "launcher starts, and Open MPI connects to it.",
            examples=[2222],
        ),
    ] = 22
    user_id: UserId | UnsetType = UNSET
    clean_pods: Annotated[
        Literal["running", "all", "none"],
        choice(
            description="Pods to delete when the job has finished.",
            values={
                "running": "The workers, which would run forever. The launcher and its log are kept.",
                "all": "All pods, including the launcher with its log.",
                "none": "No pods. Workers keep occupying their nodes.",
            },
        ),
    ] = "running"
    time_limit: Annotated[
        Duration | UnsetType,
        Meta(description="Maximum run time, after which the job is terminated. Left out: unlimited."),
    ] = UNSET
    retries: Annotated[int, Meta(ge=0, le=100, description="How often a failed launcher is restarted.")] = 0
    queue: Annotated[
        KubernetesName | UnsetType,
        Meta(
            description="Kueue local queue of the job. Left out: the job starts immediately.",
            examples=["default"],
        ),
    ] = UNSET
    priority: JobPriority | UnsetType = UNSET
    grace_period: GracePeriod | UnsetType = UNSET
    keep_within: KeepWithin | UnsetType = UNSET
    service_account: Annotated[
        KubernetesName | UnsetType,
        Meta(
            description="Kubernetes service account of the pods. Left out: the namespace's default, or with "
            "a bucket among the `mounts` one that may use it.",
            examples=["trainer"],
        ),
    ] = UNSET
    run: RunWord | UnsetType = UNSET
