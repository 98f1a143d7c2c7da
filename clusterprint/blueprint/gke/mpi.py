"""MPI jobs, run by the MPI operator."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import JobFile
from clusterprint.blueprint.gke.components import (
    ContainerImage,
    EnvironmentName,
    JobName,
    PlainText,
)
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, looks_like

UserName = Annotated[
    str,
    looks_like("^[a-z_][-a-z0-9_]{0,31}$", "the name of a Linux user", "mpiuser"),
]


class MpiJob(Part, frozen=True, kw_only=True):
    """A parallel program: one launcher, which starts it by SSH on all workers.

    The image holds the program, an MPI library and an SSH server. A change of anything here, the files
    included, is a new run; the finished one is removed.
    """

    name: Annotated[JobName, Meta(description="Name of the job; the names of its runs begin with it.")]
    image: Annotated[ContainerImage, Meta(description="Container image of launcher and workers.")]
    workers: Annotated[
        int, Meta(ge=1, le=5000, description="Worker pods, each on a node of its own.", examples=[3])
    ]
    slots_per_worker: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=1024,
                description="Processes per worker. Left out: one for each GPU of the nodes, and 1 without.",
                examples=[2],
            ),
        ]
        | UnsetType
    ) = UNSET
    command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="The program and its arguments; mpirun is put in front, with workers x slots "
            "processes. Or say `launcher_command`.",
            examples=[["xhpl"]],
        ),
    ] = ()
    mpirun_options: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="Options of mpirun, after those that are derived.",
            examples=[["--bind-to", "core", "--map-by", "slot"]],
        ),
    ] = ()
    launcher_command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="All that the launcher runs, in place of `command`, for images that wrap mpirun.",
            examples=[["su", "nixuser", "-c", "mpirun -np 6 xhpl"]],
        ),
    ] = ()
    worker_command: Annotated[
        tuple[PlainText, ...],
        Meta(
            description="What each worker runs. Left out: an SSH server, as the operator starts it.",
            examples=[["/usr/sbin/sshd", "-De", "-f", "/home/mpiuser/.sshd_config"]],
        ),
    ] = ()
    files: Annotated[
        tuple[JobFile, ...],
        Meta(
            description="Files for launcher and workers, at most 1 MiB together.",
            examples=[[{"source": "./HPL.dat", "destination": "/home/nixuser/HPL.dat"}]],
        ),
    ] = ()
    env: Annotated[
        dict[EnvironmentName, PlainText],
        Meta(
            description="Environment of launcher and workers, and of the processes that a derived mpirun "
            "starts. No place for secrets.",
            examples=[{"OMP_NUM_THREADS": "2"}],
        ),
    ] = {}
    node_pool: (
        Annotated[
            PoolName,
            Meta(
                description="Node pool of the workers. Left out: the first pool without TPUs.",
                examples=["workers"],
            ),
        ]
        | UnsetType
    ) = UNSET
    cpus_per_worker: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=1024,
                description="vCPUs that each worker is given for sure. Left out: whatever the node has free.",
                examples=[3],
            ),
        ]
        | UnsetType
    ) = UNSET
    memory_gb_per_worker: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=65536,
                description="Memory in GB that each worker is given for sure, and not more. Left out: "
                "whatever the node has free.",
                examples=[12],
            ),
        ]
        | UnsetType
    ) = UNSET
    shared_memory_gb: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=65536,
                description="Size of /dev/shm in GB; it counts as memory of the pod. Left out: half of what "
                "the pod may use.",
                examples=[8],
            ),
        ]
        | UnsetType
    ) = UNSET
    implementation: Annotated[
        Literal["open_mpi", "intel", "mpich"],
        Meta(
            description="The MPI library in the image.",
            extra_json_schema={
                "enumDescriptions": {
                    "open_mpi": "Open MPI.",
                    "intel": "Intel MPI.",
                    "mpich": "MPICH.",
                }
            },
        ),
    ] = "open_mpi"
    ssh_user: Annotated[
        UserName,
        Meta(
            description="Linux user of the image that launcher and workers connect as; keys are put into its "
            "home."
        ),
    ] = "root"
    user_id: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=2147483647,
                description="Numeric user that the containers run as. Left out: the image's.",
                examples=[1000],
            ),
        ]
        | UnsetType
    ) = UNSET
    clean_pods: Annotated[
        Literal["running", "all", "none"],
        Meta(
            description="Which pods go when the job has ended.",
            extra_json_schema={
                "enumDescriptions": {
                    "running": "Workers, which would run for ever; the launcher stays, with its log.",
                    "all": "All, the launcher and its log too.",
                    "none": "None; workers go on holding their nodes.",
                }
            },
        ),
    ] = "running"
    time_limit: (
        Annotated[Duration, Meta(description="When a job that is still running is ended. Left out: never.")]
        | UnsetType
    ) = UNSET
    retries: Annotated[
        int, Meta(ge=0, le=100, description="How often a failed launcher is started again.")
    ] = 0
    queue: (
        Annotated[
            KubernetesName,
            Meta(
                description="Local queue of Kueue that admits the job. Left out: it starts at once.",
                examples=["default"],
            ),
        ]
        | UnsetType
    ) = UNSET
    service_account: (
        Annotated[
            KubernetesName,
            Meta(
                description="Kubernetes service account of the pods. Left out: the namespace's default.",
                examples=["trainer"],
            ),
        ]
        | UnsetType
    ) = UNSET
    run: (
        Annotated[
            PlainText,
            Meta(
                max_length=63,
                description="Any word. Another word is another run, when nothing else has changed.",
                examples=["second"],
            ),
        ]
        | UnsetType
    ) = UNSET


class Mpi(Part, frozen=True, kw_only=True):
    """MPI jobs and the operator that runs them."""

    jobs: Annotated[
        tuple[MpiJob, ...],
        Meta(
            description="Jobs to run.",
            examples=[
                [
                    {
                        "name": "hpl",
                        "image": "us-docker.pkg.dev/my-project/images/trainer:v1",
                        "workers": 3,
                        "command": ["xhpl"],
                    }
                ]
            ],
        ),
    ] = ()
    namespace: Annotated[KubernetesName, Meta(description="Namespace of the jobs.")] = "default"
    operator_image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of the MPI operator (kubeflow.org/v2beta1). Left out: the pinned one.",
                examples=["mpioperator/mpi-operator:0.8.0"],
            ),
        ]
        | UnsetType
    ) = UNSET
