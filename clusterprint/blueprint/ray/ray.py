"""`ray`: the Ray cluster inside the Kubernetes cluster."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ContainerImage, EnvironmentName, PlainText
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.ray.dashboard import Dashboard
from clusterprint.blueprint.ray.jobs import NcclTest, RayJob, RayService
from clusterprint.blueprint.texts import Duration, looks_like

GroupName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "the name of a worker group: 1 to 20 lower-case letters, digits and hyphens, starting with a letter "
        "and not ending with a hyphen",
        "gpu",
    ),
]

RayVersion = Annotated[
    str,
    looks_like("^[0-9]+\\.[0-9]+\\.[0-9]+$", "a Ray version, such as 2.48.0", "2.48.0"),
]


class Head(Part, frozen=True, kw_only=True):
    """The pod that runs Ray's scheduler, its dashboard and its autoscaler, on the system pool."""

    cpus: Annotated[int, Meta(ge=1, le=400, description="Cores of the head.")] = 2
    memory_gb: Annotated[int, Meta(ge=2, le=12000, description="Memory of the head, in GiB.")] = 8
    schedule_work: Annotated[
        bool, Meta(description="Whether tasks and actors without GPUs may run on the head too.")
    ] = False


class Worker(Part, frozen=True, kw_only=True):
    """A group of Ray workers, each on a node of its own, all of whose resources it has."""

    name: Annotated[GroupName, Meta(description="Name of the group.")]
    compute_class: (
        Annotated[
            KubernetesName,
            Meta(description="Compute class that gives the nodes. Either this or `pool`.", examples=["h200"]),
        ]
        | UnsetType
    ) = UNSET
    pool: (
        Annotated[
            PoolName, Meta(description="Node pool that gives the nodes. Either this or `compute_class`.")
        ]
        | UnsetType
    ) = UNSET
    min: Annotated[
        int, Meta(ge=0, le=15000, description="Workers that always run; for TPUs, slices of several hosts.")
    ] = 0
    max: Annotated[
        int,
        Meta(
            ge=1,
            le=15000,
            description="Most workers, of which the autoscaler asks for as many as work needs.",
            examples=[10],
        ),
    ]
    idle_timeout: (
        Annotated[
            Duration,
            Meta(description="How long a worker may be without work before it goes. Left out: 60s."),
        ]
        | UnsetType
    ) = UNSET
    cpus: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=1000,
                description="Cores of a worker. Left out: what the smallest of its machine types has left "
                "beside the node's own needs.",
                examples=[220],
            ),
        ]
        | UnsetType
    ) = UNSET
    memory_gb: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=32000,
                description="Memory of a worker, in GiB. Left out: what the machine has left, as for `cpus`.",
                examples=[2800],
            ),
        ]
        | UnsetType
    ) = UNSET
    shared_memory_gb: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=8000,
                description="Size of /dev/shm, out of the worker's memory, in GiB; Ray's object store lives "
                "there. Left out: a third of the memory, at most 250.",
                examples=[250],
            ),
        ]
        | UnsetType
    ) = UNSET


class FaultTolerance(Part, frozen=True, kw_only=True):
    """Where Ray keeps what its head knows, so that a new head carries on."""

    redis_address: Annotated[
        str,
        looks_like(
            "^(rediss?://)?[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?:[0-9]{1,5}$",
            "the address of a Redis server, such as redis.example.internal:6379",
            "redis.example.internal:6379",
        ),
        Meta(description="A Redis server that the cluster reaches; it outlives the head."),
    ]
    password_secret: (
        Annotated[
            KubernetesName,
            Meta(
                description="Secret in the cluster, in the namespace of Ray, with the server's password "
                "under the key `password`. Left out: the server asks for none.",
                examples=["redis-password"],
            ),
        ]
        | UnsetType
    ) = UNSET


class Ray(Part, frozen=True, kw_only=True):
    """The Ray cluster: its version, its head, its workers, and what runs on it."""

    version: Annotated[
        RayVersion,
        Meta(description="Version of Ray in the image. Clients and jobs must have the same."),
    ] = "2.48.0"
    image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of all Ray pods, best by digest. Left out: the one of `image_build`, or "
                "else Ray's own of this version.",
                examples=[f"us-docker.pkg.dev/my-project/images/ray@sha256:{'0123456789abcdef' * 4}"],
            ),
        ]
        | UnsetType
    ) = UNSET
    operator: Annotated[
        Literal["addon", "chart"],
        Meta(
            description="Who runs the KubeRay operator.",
            extra_json_schema={
                "enumDescriptions": {
                    "addon": "Google, as an add-on of the cluster, in a version of its choice.",
                    "chart": "You, by KubeRay's own chart, in a version of your choice.",
                }
            },
        ),
    ] = "addon"
    operator_chart: Annotated[Chart, Meta(description="The operator's chart, with `operator: chart`.")] = (
        Chart()
    )
    namespace: Annotated[KubernetesName, Meta(description="Namespace that Ray runs in; it is created.")] = (
        "ray"
    )
    head: Annotated[Head, Meta(description="The pod that keeps the Ray cluster together.")] = Head()
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
            description="Environment variables of all Ray pods; no secrets.",
            examples=[{"HF_HUB_OFFLINE": "1"}],
        ),
    ] = {}
    dashboard: Annotated[
        Dashboard,
        Meta(
            description="Who reaches Ray's dashboard and job API.",
            examples=[{"ingress": "internal", "host": "ray.example.internal"}],
        ),
    ] = Dashboard()
    fault_tolerance: (
        Annotated[FaultTolerance, Meta(description="Let the Ray cluster survive its head.")] | UnsetType
    ) = UNSET
    jobs: Annotated[tuple[RayJob, ...], Meta(description="Jobs to run, each once.")] = ()
    services: Annotated[
        tuple[RayService, ...], Meta(description="Ray Serve applications, each on a Ray cluster of its own.")
    ] = ()
    nccl_test: (
        Annotated[NcclTest, Meta(description="A job that measures the network between GPUs.")] | UnsetType
    ) = UNSET
