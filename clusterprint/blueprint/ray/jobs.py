"""What runs on Ray: jobs, services, and the test of the network."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.gke.components import EnvironmentName, JobName, PlainText
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, LocalPath, looks_like

#: The name of the job that measures the network.
NCCL_TEST = "nccl-test"


class RuntimeEnvironment(Part, frozen=True, kw_only=True):
    """What Ray lays down on every worker before a job begins."""

    working_dir: (
        Annotated[
            str,
            looks_like(
                "^(gs|https)://[^\\s]+\\.zip$",
                "the address of a zip file, such as gs://my-bucket/code.zip",
                "gs://my-bucket/code.zip",
            ),
            Meta(description="Zip file with the code, which becomes the working folder."),
        ]
        | UnsetType
    ) = UNSET
    pip: Annotated[
        tuple[PlainText, ...],
        Meta(description="Python packages to install.", examples=[["datasets==3.1.0"]]),
    ] = ()
    env_vars: Annotated[
        dict[EnvironmentName, PlainText],
        Meta(description="Environment variables; no secrets.", examples=[{"NCCL_DEBUG": "INFO"}]),
    ] = {}


class RayJob(Part, frozen=True, kw_only=True):
    """A program that runs once. A change of anything here is a new run."""

    name: Annotated[JobName, Meta(description="Name of the job; the names of its runs begin with it.")]
    entrypoint: Annotated[
        PlainText,
        Meta(min_length=1, description="Command that starts it.", examples=["python train.py --epochs 3"]),
    ]
    cluster: Annotated[
        Literal["own", "shared"],
        Meta(
            description="Which Ray cluster it runs on.",
            extra_json_schema={
                "enumDescriptions": {
                    "own": "One like the blueprint's, made for this run.",
                    "shared": "The blueprint's, beside whatever else runs there.",
                }
            },
        ),
    ] = "own"
    runtime_env: Annotated[RuntimeEnvironment, Meta(description="What it needs beside the image.")] = (
        RuntimeEnvironment()
    )
    shutdown_after_finish: (
        Annotated[
            bool,
            Meta(
                description="Whether its own Ray cluster goes when it has finished, and with it the nodes. "
                "Left out: yes.",
                examples=[False],
            ),
        ]
        | UnsetType
    ) = UNSET
    keep_for: Annotated[
        Duration, Meta(description="How long its own Ray cluster stays after the end, to look at.")
    ] = "5m"
    time_limit: (
        Annotated[Duration, Meta(description="How long it may take. Left out: for ever.")] | UnsetType
    ) = UNSET
    retries: Annotated[
        int, Meta(ge=0, le=100, description="How often it is tried again after a failure.")
    ] = 0


class ServeConfig(TextFile, frozen=True, kw_only=True):
    """A Ray Serve configuration, in place or in a file: exactly one of the two."""

    noun = "Serve configuration"

    file: (
        Annotated[
            LocalPath,
            Meta(description="File beside the blueprint that holds it.", examples=["./serve.yaml"]),
        ]
        | UnsetType
    ) = UNSET
    inline: (
        Annotated[
            str,
            Meta(
                description="The configuration itself.",
                min_length=1,
                examples=["applications:\n  - name: chat\n    import_path: chat.app:deployment\n"],
            ),
        ]
        | UnsetType
    ) = UNSET


class RayService(Part, frozen=True, kw_only=True):
    """Ray Serve applications that are kept running, and replaced without a gap when they change."""

    name: Annotated[JobName, Meta(description="Name of the service.")]
    config: Annotated[
        ServeConfig, Meta(description="Ray Serve's own configuration: its applications and deployments.")
    ]


class NcclTest(Part, frozen=True, kw_only=True):
    """An all-reduce over all GPUs of some workers, which fails below a bandwidth."""

    worker: (
        Annotated[
            str,
            looks_like("^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$", "the name of a worker group", "gpu"),
            Meta(description="Worker group to test. Left out: the first one with GPUs."),
        ]
        | UnsetType
    ) = UNSET
    nodes: Annotated[int, Meta(ge=1, le=1000, description="How many workers take part.")] = 2
    size_gb: Annotated[int, Meta(ge=1, le=64, description="Bytes per GPU that are reduced, in GiB.")] = 8
    iterations: Annotated[int, Meta(ge=1, le=1000, description="How many times it is measured.")] = 10
    min_bandwidth: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=4000,
                description="Bus bandwidth, in GB/s, below which the test fails. Left out: it only reports.",
                examples=[350],
            ),
        ]
        | UnsetType
    ) = UNSET
    wait: Annotated[Duration, Meta(description="How long it waits for the workers before it fails.")] = "30m"
