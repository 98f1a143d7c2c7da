"""Programs that the machines of `kind: vm` start together: MPI, Ray, Slurm, and a network benchmark."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import ProgramFile
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Refuses, Relation
from clusterprint.blueprint.texts import BucketName, Duration, NodePath, looks_like
from clusterprint.blueprint.vm_ray import NodeRay
from clusterprint.blueprint.vm_slurm import GroupOfNodes, NodeSlurm

# A line of a file on the machines: a line break would begin another one.
Line = Annotated[
    str,
    looks_like("^[^\\x00-\\x1f\\x7f-\\x9f]*$", "a single line without control characters", "xhpl"),
]

VariableName = Annotated[
    str,
    looks_like(
        "^[A-Za-z_][A-Za-z0-9_]*$",
        "the name of an environment variable: letters, digits and underscores, not starting with a digit",
        "OMP_NUM_THREADS",
    ),
]

RunName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$",
        "the name of a program's runs: 1 to 30 lower-case letters, digits and hyphens, starting with a "
        "letter and not ending with a hyphen",
        "hpl",
    ),
]


class Together(Part, frozen=True, kw_only=True):
    """A program that runs once over all nodes of a group."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM107", "group", ("node_groups",), "group of nodes", "groups of nodes"),
        Names("", "bucket", ("storage.volumes",), "bucket"),
    )

    group: Annotated[
        GroupOfNodes | UnsetType,
        Meta(description="Group of nodes that the program runs on. Left out: the only group."),
    ] = UNSET
    bucket: Annotated[
        BucketName | UnsetType,
        Meta(
            description="Volume of kind bucket, or its bucket, for log and result. Left out: the first that "
            "nodes can write to."
        ),
    ] = UNSET
    run: Annotated[
        Line | UnsetType,
        Meta(
            max_length=63,
            description="Any word. Change it to start a new run when nothing else has changed.",
            examples=["second"],
        ),
    ] = UNSET


class MpiRun(Together, frozen=True, kw_only=True):
    """A parallel program, started by mpirun on the first node when all nodes are ready.

    It runs once. Any change here, including to the files, is another run, which begins within minutes, on the
    nodes that run already.
    """

    relations: ClassVar[tuple[Relation, ...]] = (Refuses("VM111", "name", "one_of", ("VM111",)),)

    name: Annotated[RunName, Meta(description="Name of the program, and prefix of the names of its runs.")]
    command: Annotated[
        tuple[Line, ...],
        Meta(
            min_length=1,
            description="The program and its arguments. It must be on all nodes, from the image or the "
            "startup script.",
            examples=[["xhpl"]],
        ),
    ]
    processes_per_node: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=1024,
            description="Processes on each node. Left out: one per GPU, or 1 on nodes without GPUs.",
            examples=[2],
        ),
    ] = UNSET
    mpirun_options: Annotated[
        tuple[Line, ...],
        Meta(
            description="Additional mpirun options, after the derived ones.",
            examples=[["--bind-to", "core"]],
        ),
    ] = ()
    env: Annotated[
        dict[VariableName, Line],
        Meta(
            description="Environment variables of all processes. Do not put secrets here.",
            examples=[{"OMP_NUM_THREADS": "2"}],
        ),
    ] = {}
    files: Annotated[
        tuple[ProgramFile, ...],
        Meta(
            description="Files for the program, copied to every node.",
            examples=[[{"source": "./HPL.dat", "destination": "/opt/hpl/HPL.dat"}]],
        ),
    ] = ()
    folder: Annotated[
        NodePath | UnsetType,
        Meta(
            description="Working directory of the program on the nodes. Left out: the home of the user that "
            "it runs as.",
            examples=["/opt/hpl"],
        ),
    ] = UNSET
    time_limit: Annotated[
        Duration | UnsetType,
        Meta(description="Maximum run time, after which the program is terminated. Left out: unlimited."),
    ] = UNSET


class VmMpi(Part, frozen=True, kw_only=True):
    """Open MPI on all nodes, from the image, or else from the packages of Ubuntu or Debian."""

    run: Annotated[MpiRun | UnsetType, Meta(description="A program to run. Left out: none.")] = UNSET


class Bootstrap(Part, frozen=True, kw_only=True):
    """Programs that the nodes start together once they are ready."""

    mpi: Annotated[VmMpi | UnsetType, Meta(description="MPI, and a program to run with it.")] = UNSET
    ray: Annotated[
        NodeRay | UnsetType, Meta(description="A Ray cluster.", examples=[{"version": "2.55.0"}])
    ] = UNSET
    slurm: Annotated[
        NodeSlurm | UnsetType, Meta(description="A Slurm cluster.", examples=[{"controller": "login"}])
    ] = UNSET


class NcclBenchmark(Together, frozen=True, kw_only=True):
    """All-reduce of NCCL over all GPUs of a group, once, with a verdict."""

    size: Annotated[
        str,
        looks_like("^[1-9][0-9]{0,5}[KMG]$", "an amount of data, such as 512M or 8G", "8G"),
        Meta(description="Amount of data per all-reduce."),
    ] = "8G"
    minimum_gb_per_s: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=10000,
            description="Minimum bus bandwidth in GB/s, below which the benchmark fails; 0 only measures. "
            "Left out: the known value of the machine type.",
            examples=[320],
        ),
    ] = UNSET


class Benchmark(Part, frozen=True, kw_only=True):
    """Benchmarks to run once all nodes are ready."""

    nccl: Annotated[
        NcclBenchmark | UnsetType, Meta(description="NCCL bandwidth between GPUs of different nodes.")
    ] = UNSET
