"""Ray jobs, services, and the test of the network."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.gke.mounts import EXAMPLES, VolumeMount
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Names, Refuses, Relation, Unique, when
from clusterprint.blueprint.texts import Duration, EnvironmentName, JobName, PlainText, choice, looks_like

#: The name of the job that measures the network.
NCCL_TEST = "nccl-test"


class RuntimeEnvironment(Part, frozen=True, kw_only=True):
    """Packages and settings that Ray installs on every worker before a job starts."""

    working_dir: Annotated[
        str | UnsetType,
        looks_like(
            "^(gs|https)://[^\\s]+\\.zip$",
            "the address of a zip file, such as gs://my-bucket/code.zip",
            "gs://my-bucket/code.zip",
        ),
        Meta(description="Zip file with the code, which is unpacked as the working directory."),
    ] = UNSET
    pip: Annotated[
        tuple[PlainText, ...],
        Meta(description="Python packages to install.", examples=[["datasets==3.1.0"]]),
    ] = ()
    env_vars: Annotated[
        dict[EnvironmentName, PlainText],
        Meta(
            description="Environment variables. Do not put secrets here.", examples=[{"NCCL_DEBUG": "INFO"}]
        ),
    ] = {}


class WorkerBounds(Part, frozen=True, kw_only=True):
    """Number of workers of a group in a separate Ray cluster."""

    relations = (Names("RAY073", "name", ("ray.workers",), "group of workers", "groups of workers"),)

    name: Annotated[
        str,
        looks_like("^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$", "the name of a worker group", "gpu"),
        Meta(description="The worker group."),
    ]
    min: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=15000,
            description="Minimum number of workers. Left out: 0 for a job, the group's minimum for a "
            "service.",
            examples=[1],
        ),
    ] = UNSET
    max: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=15000,
            description="Maximum number of workers. Left out: the group's maximum.",
            examples=[2],
        ),
    ] = UNSET


class RayJob(Part, frozen=True, kw_only=True):
    """A program that runs once. Any change here starts a new run."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("RAY080", when("mounts"), when("cluster", "shared")),
        Unique(
            "RAY074",
            "workers",
            "the number of workers {item.name} is set twice",
            help="keep one, with min and max",
        ),
        Refuses("RAY040", "name", "one_of", ("RAY040",), (when("/ray.nccl_test"),)),
    )

    name: Annotated[JobName, Meta(description="Name of the job, and prefix of the names of its runs.")]
    entrypoint: Annotated[
        PlainText,
        Meta(min_length=1, description="Command of the job.", examples=["python train.py --epochs 3"]),
    ]
    cluster: Annotated[
        Literal["own", "shared"],
        choice(
            description="Ray cluster that the job runs on.",
            values={
                "own": "A separate cluster with the same settings as the blueprint's, created for this run. "
                "Its workers are created when the job needs them.",
                "shared": "The blueprint's cluster, together with everything else that runs there.",
            },
        ),
    ] = "own"
    workers: Annotated[
        tuple[WorkerBounds, ...],
        Meta(
            description="Worker counts of the job's own Ray cluster.",
            examples=[[{"name": "gpu", "max": 2}]],
        ),
    ] = ()
    runtime_env: Annotated[
        RuntimeEnvironment, Meta(description="Packages and settings of the job in addition to the image.")
    ] = RuntimeEnvironment()
    mounts: Annotated[
        tuple[VolumeMount, ...],
        Meta(
            description="Volumes of the job's own Ray cluster, in addition to those of head and workers: "
            "in all of its pods, disks in its workers.",
            examples=EXAMPLES,
        ),
    ] = ()
    shutdown_after_finish: Annotated[
        bool | UnsetType,
        Meta(
            description="Delete the job's own Ray cluster, and with it the nodes, when the job has finished. "
            "Left out: true.",
            examples=[False],
        ),
    ] = UNSET
    keep_for: Annotated[
        Duration,
        Meta(
            description="How long the job's own Ray cluster is kept after the job has finished, for "
            "inspection."
        ),
    ] = "5m"
    time_limit: Annotated[
        Duration | UnsetType, Meta(description="Maximum run time. Left out: unlimited.")
    ] = UNSET
    retries: Annotated[int, Meta(ge=0, le=100, description="Number of retries after a failure.")] = 0


class ServeConfig(TextFile, frozen=True, kw_only=True):
    """A Ray Serve configuration, inline or in a file: exactly one of the two."""

    noun = "Serve configuration"
    descriptions = ("File beside the blueprint that holds it.", "The configuration itself.")
    examples = ("./serve.yaml", "applications:\n  - name: chat\n    import_path: chat.app:deployment\n")


class RayService(Part, frozen=True, kw_only=True):
    """Ray Serve applications that are kept running, and updated without downtime."""

    relations = (
        Unique(
            "RAY074",
            "workers",
            "the number of workers {item.name} is set twice",
            help="keep one, with min and max",
        ),
    )

    name: Annotated[JobName, Meta(description="Name of the service.")]
    config: Annotated[ServeConfig, Meta(description="Ray Serve configuration: applications and deployments.")]
    workers: Annotated[
        tuple[WorkerBounds, ...],
        Meta(
            description="Worker counts of the service's own Ray cluster, if they differ from "
            "`ray.workers`. An update of the service creates a second such cluster before the first one "
            "is deleted.",
            examples=[[{"name": "gpu", "min": 1, "max": 2}]],
        ),
    ] = ()
    mounts: Annotated[
        tuple[VolumeMount, ...],
        Meta(
            description="Volumes of the service's own Ray cluster, in addition to those of head and "
            "workers: in all of its pods, disks in its workers.",
            examples=EXAMPLES,
        ),
    ] = ()


class NcclTest(Part, frozen=True, kw_only=True):
    """An all-reduce over all GPUs of some workers of the Ray cluster. It fails below a minimum bandwidth."""

    relations = (Names("RAY044", "worker", ("ray.workers",), "group of workers", "groups of workers"),)

    worker: Annotated[
        str | UnsetType,
        looks_like("^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$", "the name of a worker group", "gpu"),
        Meta(description="Worker group to test. Left out: the first one with GPUs."),
    ] = UNSET
    nodes: Annotated[int, Meta(ge=1, le=1000, description="Number of workers that take part.")] = 2
    size_gb: Annotated[int, Meta(ge=1, le=64, description="Data per GPU that is reduced, in GiB.")] = 8
    iterations: Annotated[int, Meta(ge=1, le=1000, description="Number of measurements.")] = 10
    min_bandwidth: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=4000,
            description="Minimum bus bandwidth in GB/s, below which the test fails. Left out: the test only "
            "reports.",
            examples=[350],
        ),
    ] = UNSET
    wait: Annotated[Duration, Meta(description="Timeout for the workers to become ready.")] = "30m"
