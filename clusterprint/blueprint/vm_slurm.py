"""Slurm on the machines of `kind: vm`."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Refuses, Relation, Unique
from clusterprint.blueprint.texts import Duration, looks_like

GroupOfNodes = Annotated[
    str,
    looks_like("^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$", "the name of a group of nodes", "compute"),
]


class SlurmPartition(Part, frozen=True, kw_only=True):
    """Nodes that jobs are submitted to by one name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM230", "groups", ("node_groups",), "group of nodes", "groups of nodes"),
        Unique("VM233", "groups", "group {item} is listed twice", key=(), help="list it once"),
        # Slurm takes a line about a partition of this name for the defaults of all that follow.
        Refuses("VM234", "name", "one_of", ("VM234",)),
    )

    name: Annotated[
        str,
        looks_like(
            "^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$",
            "the name of a partition: 1 to 30 lower-case letters, digits and hyphens, starting with a letter "
            "and not ending with a hyphen",
            "gpu",
        ),
        Meta(description="Name of the partition, as in `sbatch --partition`."),
    ]
    groups: Annotated[
        tuple[GroupOfNodes, ...],
        Meta(
            description="Groups of nodes in it. Left out: all but the controller's, or the only one.",
            examples=[["compute"]],
        ),
    ] = ()
    default: Annotated[
        bool, Meta(description="Jobs that name no partition go here. Left out everywhere: to the first one.")
    ] = False
    max_time: Annotated[
        Duration | UnsetType,
        Meta(description="Maximum run time of a job. Left out: unlimited.", examples=["2d"]),
    ] = UNSET
    priority: Annotated[
        int,
        Meta(
            ge=1,
            le=65533,
            description="Jobs of partitions with a higher number are considered first.",
            examples=[10],
        ),
    ] = 1
    exclusive: Annotated[
        bool, Meta(description="Give each job whole nodes, and do not let jobs share them.", examples=[True])
    ] = False


class SlurmAccounting(Part, frozen=True, kw_only=True):
    """A database of all jobs (`sacct`, `sreport`), on the controller's boot disk."""


class SlurmPowerSaving(Part, frozen=True, kw_only=True):
    """Nodes that no job needs are stopped, and started again for jobs that wait."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM230", "groups", ("node_groups",), "group of nodes", "groups of nodes"),
        Unique("VM233", "groups", "group {item} is listed twice", key=(), help="list it once"),
    )

    idle: Annotated[
        Duration, Meta(description="A node is stopped after so long without a job.", examples=["30m"])
    ] = "10m"
    static: Annotated[
        int,
        Meta(
            ge=0, le=1000, description="The first nodes of each group, which are never stopped.", examples=[2]
        ),
    ] = 0
    groups: Annotated[
        tuple[GroupOfNodes, ...],
        Meta(
            description="Groups of nodes that it is for. Left out: all that run jobs, but the controller's.",
            examples=[["compute"]],
        ),
    ] = ()


class NodeSlurm(Part, frozen=True, kw_only=True):
    """Slurm from the packages of Ubuntu or Debian; every node registers itself with the controller."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM230", "controller", ("node_groups",), "group of nodes", "groups of nodes"),
        Unique("VM233", "partitions", "there are two partitions called {item.name}"),
    )

    controller: Annotated[
        GroupOfNodes | UnsetType,
        Meta(
            description="Group of nodes whose first node is the controller. Left out: the first group.",
            examples=["login"],
        ),
    ] = UNSET
    partitions: Annotated[
        tuple[SlurmPartition, ...],
        Meta(
            description="Partitions. Left out: one, called `all`.",
            examples=[[{"name": "gpu", "groups": ["compute"], "max_time": "2d"}]],
        ),
    ] = ()
    accounting: Annotated[
        SlurmAccounting | UnsetType,
        Meta(description="Keep accounts of jobs. Left out: none.", examples=[{}]),
    ] = UNSET
    power_saving: Annotated[
        SlurmPowerSaving | UnsetType,
        Meta(
            description="Stop nodes that have nothing to do. Left out: all run all the time.",
            examples=[{"idle": "10m", "static": 2}],
        ),
    ] = UNSET
