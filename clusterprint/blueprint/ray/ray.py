"""`ray`: the Ray cluster inside the Kubernetes cluster."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.job_fields import NODES
from clusterprint.blueprint.gke.mounts import EXAMPLES, VolumeMount
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.ray.dashboard import Dashboard
from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.blueprint.ray.jobs import NcclTest, RayJob, RayService
from clusterprint.blueprint.relations import (
    Excludes,
    Names,
    Needs,
    Refuses,
    Relation,
    Unique,
    Within,
    when,
    written,
)
from clusterprint.blueprint.texts import (
    NO_DIGEST,
    RAY_VERSION,
    ContainerImage,
    Duration,
    EnvironmentName,
    PlainText,
    RayVersion,
    choice,
    looks_like,
)

GroupName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "the name of a worker group: 1 to 20 lower-case letters, digits and hyphens, starting with a letter "
        "and not ending with a hyphen",
        "gpu",
    ),
]


class Head(Part, frozen=True, kw_only=True):
    """The pod that runs Ray's scheduler, dashboard and autoscaler, on the system pool."""

    cpus: Annotated[int, Meta(ge=1, le=400, description="vCPUs of the head.")] = 2
    memory_gb: Annotated[int, Meta(ge=2, le=12000, description="Memory of the head, in GiB.")] = 8
    schedule_work: Annotated[
        bool, Meta(description="Allow tasks and actors without GPUs to run on the head.")
    ] = False
    mounts: Annotated[
        tuple[VolumeMount, ...],
        Meta(
            description="Volumes of the heads of all Ray clusters. Disks are for workers only.",
            examples=EXAMPLES,
        ),
    ] = ()


class Worker(Part, frozen=True, kw_only=True):
    """A group of Ray workers. Each worker has a node of its own and uses all its resources."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("RAY001", when("compute_class"), when("pool")),
        *(
            Needs("RAY001", when("pool", UNSET), when("compute_class"), given)
            for given in (
                (when("/cluster.existing", UNSET),),
                (when("/node_pools"), when("/cluster.existing.nodes", ())),
            )
        ),
        Within("RAY005", "min", most="max"),
        Names("RAY002", "pool", NODES, "node pool"),
        Names("RAY002", "compute_class", ("compute_classes",), "compute class", "compute classes"),
    )

    name: Annotated[GroupName, Meta(description="Name of the group.")]
    compute_class: Annotated[
        KubernetesName | UnsetType,
        Meta(description="Compute class of the nodes. Alternative to `pool`.", examples=["h200"]),
    ] = UNSET
    pool: Annotated[
        PoolName | UnsetType, Meta(description="Node pool of the workers. Alternative to `compute_class`.")
    ] = UNSET
    min: Annotated[
        int, Meta(ge=0, le=15000, description="Minimum number of workers; with multi-host TPUs, of slices.")
    ] = 0
    max: Annotated[
        int,
        Meta(
            ge=1,
            le=15000,
            description="Maximum number of workers. The autoscaler requests as many as the work needs.",
            examples=[10],
        ),
    ]
    idle_timeout: Annotated[
        Duration | UnsetType,
        Meta(description="How long a worker may be idle before it is removed. Left out: 60s."),
    ] = UNSET
    cpus: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1000,
            description="vCPUs of a worker. Left out: what the smallest of its machine types has left after "
            "system overhead.",
            examples=[220],
        ),
    ] = UNSET
    memory_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=32000,
            description="Memory of a worker, in GiB. Left out: what the machine has left after system "
            "overhead, as for `cpus`.",
            examples=[2800],
        ),
    ] = UNSET
    shared_memory_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=8000,
            description="Size of /dev/shm in GiB, as part of the worker's memory. Holds Ray's object store. "
            "Left out: a third of the memory, at most 250.",
            examples=[250],
        ),
    ] = UNSET
    ephemeral_storage_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=100000,
            description="Disk space of a worker in GiB, on local SSDs if nodes have them: for /tmp with "
            "objects that Ray spills, and everything written outside of volumes. A worker that uses more is "
            "evicted. Left out: no request and no limit.",
            examples=[50],
        ),
    ] = UNSET
    mounts: Annotated[
        tuple[VolumeMount, ...],
        Meta(
            description="Volumes of the workers of this group, in all Ray clusters.",
            examples=EXAMPLES,
        ),
    ] = ()


class FaultTolerance(Part, frozen=True, kw_only=True):
    """Where Ray stores the state of its head, so that a new head can take over."""

    redis_address: Annotated[
        str,
        looks_like(
            "^(rediss?://)?[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?:[0-9]{1,5}$",
            "the address of a Redis server, such as redis.example.internal:6379",
            "redis.example.internal:6379",
        ),
        Meta(description="Address of a Redis server that the cluster can reach."),
    ]
    password_secret: Annotated[
        KubernetesName | UnsetType,
        Meta(
            description="Kubernetes secret in Ray's namespace with the server's password under the key "
            "`password`. Left out: the server needs no password.",
            examples=["redis-password"],
        ),
    ] = UNSET


class Ray(Part, frozen=True, kw_only=True):
    """The Ray cluster: version, head, workers, and what runs on it."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("RAY032", written("operator_chart"), when("operator", "addon")),
        Unique(
            "RAY004",
            "workers",
            "there are two groups of workers called {item.name}",
            help="give each a name of its own",
        ),
        Refuses("RAY020", "image", "matching", (NO_DIGEST,)),
        Unique("RAY040", "jobs", "two jobs are called {item.name}", "give each a name of its own"),
        Unique("RAY040", "services", "two services are called {item.name}", "give each a name of its own"),
        Refuses("RAY055", "environment", "one_of", ("RAY055",)),
    )

    version: Annotated[
        RayVersion,
        Meta(description="Ray version in the image. Clients and jobs must use the same version."),
    ] = RAY_VERSION
    image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of all Ray pods, preferably by digest. Left out: the image of `image_build`, "
            "or the official Ray image of this version.",
            examples=[f"us-docker.pkg.dev/my-project/images/ray@sha256:{'0123456789abcdef' * 4}"],
        ),
    ] = UNSET
    operator: Annotated[
        Literal["addon", "chart"],
        choice(
            description="How the KubeRay operator is installed.",
            values={
                "addon": "By Google, as an add-on of the cluster, in a version that Google chooses.",
                "chart": "With KubeRay's Helm chart, in a version that you choose.",
            },
        ),
    ] = "addon"
    operator_chart: Annotated[
        Chart, Meta(description="The operator's Helm chart. Requires `operator: chart`.")
    ] = Chart()
    namespace: Annotated[KubernetesName, Meta(description="Namespace of Ray, which is created.")] = "ray"
    head: Annotated[Head, Meta(description="The head pod of the Ray cluster.")] = Head()
    workers: Annotated[
        tuple[Worker, ...],
        Meta(
            min_length=1,
            description="Groups of workers.",
            examples=[[{"name": "gpu", "pool": "l4", "max": 4}]],
        ),
    ]
    environment: Annotated[
        dict[EnvironmentName, PlainText],
        Meta(
            description="Environment variables of all Ray pods. Do not put secrets here.",
            examples=[{"HF_HUB_OFFLINE": "1"}],
        ),
    ] = {}
    dashboard: Annotated[
        Dashboard,
        Meta(
            description="Access to Ray's dashboard and job API.",
            examples=[{"ingress": "internal", "host": "ray.example.internal"}],
        ),
    ] = Dashboard()
    fault_tolerance: Annotated[
        FaultTolerance | UnsetType, Meta(description="Let the Ray cluster survive a failure of its head.")
    ] = UNSET
    jobs: Annotated[tuple[RayJob, ...], Meta(description="Jobs to run, each once.")] = ()
    services: Annotated[
        tuple[RayService, ...], Meta(description="Ray Serve applications, each on its own Ray cluster.")
    ] = ()
    gateway: Annotated[
        Gateway | UnsetType,
        Meta(
            description="A load balancer in front of `services`. Left out: they are only reached from inside "
            "the cluster."
        ),
    ] = UNSET
    nccl_test: Annotated[
        NcclTest | UnsetType, Meta(description="A job that measures the bandwidth between GPUs.")
    ] = UNSET
