"""Programs of several pods that start and fail together: JobSets, TrainJobs and LeaderWorkerSets."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import JobFile
from clusterprint.blueprint.gke.checkpoints import CheckpointFolder
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
    Excludes,
    Forbids,
    Names,
    Needs,
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
)


class PodGroup(Part, frozen=True, kw_only=True):
    """Pods with one program, each on a node of its own, with all of its GPUs or TPU chips."""

    noun: ClassVar[str]
    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE241", when("name"), (when("@has_pool", False),)),
        Within("GKE243", "@pods", most="@nodes_for_pods"),
        Within("GKE245", "cpus_per_pod", most="@pool.@free_vcpus", words="vcpus"),
        Within("GKE245", "memory_gb_per_pod", most="@pool.@free_memory_gb", words="memory"),
        Names("GKE241", "node_pool", NODES, "node pool"),
        *JOB_RELATIONS,
    )

    name: Annotated[JobName, Meta(description="Name, unique among jobs.")]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of the pods.")] = "default"
    image: Annotated[
        ContainerImage | UnsetType, Meta(description="Container image of the pods. Alternative to `build`.")
    ] = UNSET
    build: JobBuild | UnsetType = UNSET
    command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="The program and its arguments.",
            min_length=1,
            examples=[["python", "/app/train.py"]],
        ),
    ]
    node_pool: Annotated[
        PoolName | UnsetType,
        Meta(description="Node pool of the pods. Left out: the first pool.", examples=["workers"]),
    ] = UNSET
    compute_class: JobClass | UnsetType = UNSET
    env: Annotated[
        dict[EnvironmentName, PlainText],
        Meta(
            description="Environment variables of the pods. Do not put secrets here.",
            examples=[{"LOG_LEVEL": "info"}],
        ),
    ] = {}
    files: Annotated[
        tuple[JobFile, ...],
        Meta(
            description="Files for the pods, at most 1 MiB in total.",
            examples=[[{"source": "./train.py", "destination": "/app/train.py"}]],
        ),
    ] = ()
    mounts: Annotated[
        tuple[VolumeMount, ...], Meta(description="Volumes of the pods.", examples=EXAMPLES)
    ] = ()
    working_dir: Annotated[
        WorkingDir | UnsetType, Meta(description="Folder in which the program runs. Left out: the image's.")
    ] = UNSET
    cpus_per_pod: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1024,
            description="vCPUs guaranteed to each pod (its request). Left out: no guarantee, whatever is "
            "free on the node; with `queue` and without accelerators, all that a node has for pods.",
            examples=[4],
        ),
    ] = UNSET
    memory_gb_per_pod: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=65536,
            description="Memory of each pod in GiB: guaranteed, and the maximum (request and limit). Left "
            "out: whatever is free on the node.",
            examples=[16],
        ),
    ] = UNSET
    shared_memory_gb: SharedMemory | UnsetType = UNSET
    user_id: UserId | UnsetType = UNSET
    service_account: Annotated[
        KubernetesName | UnsetType,
        Meta(
            description="Kubernetes service account of the pods. Left out: the namespace's default, or one "
            "that may use the buckets among `mounts`.",
            examples=["trainer"],
        ),
    ] = UNSET
    queue: Annotated[
        KubernetesName | UnsetType,
        Meta(
            description="Kueue local queue, in the same namespace. Left out: the pods start immediately.",
            examples=["default"],
        ),
    ] = UNSET
    priority: JobPriority | UnsetType = UNSET
    grace_period: GracePeriod | UnsetType = UNSET
    keep_within: KeepWithin | UnsetType = UNSET
    exclusive: Annotated[
        bool | UnsetType,
        Meta(
            description="Give each replica its own GKE node pool. Left out: true on pools of several TPU "
            "slices, so that each replica has one slice.",
            examples=[True],
        ),
    ] = UNSET


class RunOfPods(PodGroup, frozen=True, kw_only=True):
    """A group of pods that comes to an end."""

    relations: ClassVar[tuple[Relation, ...]] = (RETRIED,)

    retries: Annotated[
        int,
        Meta(ge=0, le=100, description="How often all pods are restarted after a failure of one of them."),
    ] = 0
    time_limit: Annotated[
        Duration | UnsetType, Meta(description="Maximum run time of each attempt. Left out: unlimited.")
    ] = UNSET
    run: RunWord | UnsetType = UNSET


class JobSet(RunOfPods, frozen=True, kw_only=True):
    """A job of several pods, in one or more identical replicas, which start, fail and restart together.

    Any change here, including to the files, starts a new run; the finished one is removed.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE244", when("pods_per_replica"), when("@pool.tpu"), (when("@other_hosts"),)),
        Needs("GKE393", when("checkpoints"), when("/workloads.checkpoints")),
        Forbids("GKE393", when("checkpoints"), (when("@is_on_existing"),), words="existing"),
        Excludes(
            "GKE393",
            when("checkpoints"),
            when("/workloads.checkpoints"),
            (when("@pool_without_checkpoints"),),
        ),
    )

    noun = "JobSet"

    replicas: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=256,
            description="Number of replicas. Left out: one for each TPU slice of the pool, otherwise 1.",
            examples=[2],
        ),
    ] = UNSET
    pods_per_replica: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=5000,
            description="Pods of each replica. Left out: the hosts of the TPU slice, otherwise 1.",
            examples=[4],
        ),
    ] = UNSET
    checkpoints: CheckpointFolder | UnsetType = UNSET


class TrainJob(RunOfPods, frozen=True, kw_only=True):
    """A job of Kubeflow Trainer: one program on several nodes, which meet as their framework expects it.

    Any change here, including to the files, starts a new run; the finished one is removed.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE244", when("nodes"), when("@pool.tpu"), (when("@other_hosts"),), words="nodes"),
        Excludes("GKE470", when("processes_per_node"), unless("runtime", "torch-distributed")),
        Forbids("GKE471", when("env"), (when("@set_by_trainer"),)),
        Forbids("GKE472", when("queue"), (when("@older_kueue"),)),
    )

    noun = "TrainJob"

    runtime: Annotated[
        Literal["torch-distributed", "jax-distributed", "xgboost-distributed"],
        choice(
            description="How the nodes meet, by the name of Trainer's own runtime for the framework.",
            values={
                "torch-distributed": "PyTorch: torchrun reads PET_NNODES, PET_NPROC_PER_NODE, PET_NODE_RANK, "
                "PET_MASTER_ADDR and PET_MASTER_PORT.",
                "jax-distributed": "JAX: JAX_NUM_PROCESSES, JAX_PROCESS_ID and JAX_COORDINATOR_ADDRESS, "
                "one process per node.",
                "xgboost-distributed": "XGBoost: DMLC_TRACKER_URI, DMLC_TRACKER_PORT, DMLC_TASK_ID and "
                "DMLC_NUM_WORKER, one worker per GPU, or one per node.",
            },
        ),
    ] = "torch-distributed"
    command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="The program and its arguments.",
            min_length=1,
            max_length=100,  # Trainer takes 128, with those that a network between GPUs needs in front
            examples=[["torchrun", "/app/train.py"]],
        ),
    ]
    nodes: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=5000,
            description="Number of nodes, with one pod each. Left out: the hosts of a TPU slice, or 1.",
            examples=[4],
        ),
    ] = UNSET
    processes_per_node: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1024,
            description="Processes that torchrun starts on each node. Left out: one per GPU, or 1 on nodes "
            "without GPUs.",
            examples=[8],
        ),
    ] = UNSET


class LeaderWorkerSet(PodGroup, frozen=True, kw_only=True):
    """A service whose replicas are groups of pods: a leader and its workers, such as a large model."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE244", when("size"), when("@pool.tpu"), (when("@other_hosts"),)),
    )

    noun = "LeaderWorkerSet"

    replicas: Annotated[int, Meta(ge=1, le=256, description="Number of groups.")] = 1
    size: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=256,
            description="Pods of each group, including the leader. Left out: the hosts of the TPU slice, "
            "otherwise 1.",
            examples=[2],
        ),
    ] = UNSET
    leader_command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="Command of the leader, if it differs from that of the workers.",
            examples=[["python", "/app/serve.py"]],
        ),
    ] = ()
    port: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=65535,
            description="Port on which leaders listen. A service with the name of the set distributes "
            "requests to them. Left out: no service.",
            examples=[8000],
        ),
    ] = UNSET
