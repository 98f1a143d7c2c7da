"""Slurm on the machines of `kind: vm`."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Relation, Unique
from clusterprint.blueprint.slurm import Slurm, SlurmQueue
from clusterprint.blueprint.texts import Duration, looks_like

GroupOfNodes = Annotated[
    str,
    looks_like("^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$", "the name of a group of nodes", "compute"),
]


class SlurmPartition(SlurmQueue, frozen=True, kw_only=True):
    """Nodes that jobs are submitted to by one name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM230", "groups", ("node_groups",), "group of nodes", "groups of nodes"),
        Unique("BP291", "groups", "group {item} is listed twice", key=(), help="list it once"),
    )

    groups: Annotated[
        tuple[GroupOfNodes, ...],
        Meta(
            description="Groups of nodes in it. Left out: all but the controller's, or the only one.",
            examples=[["compute"]],
        ),
    ] = ()


class SlurmPowerSaving(Part, frozen=True, kw_only=True):
    """Nodes that no job needs are stopped, and started again for jobs that wait."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM230", "groups", ("node_groups",), "group of nodes", "groups of nodes"),
        Unique("BP291", "groups", "group {item} is listed twice", key=(), help="list it once"),
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


class NodeSlurm(Slurm, frozen=True, kw_only=True):
    """Slurm from the packages of Ubuntu or Debian; every node registers itself with the controller."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM230", "controller", ("node_groups",), "group of nodes", "groups of nodes"),
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
    power_saving: Annotated[
        SlurmPowerSaving | UnsetType,
        Meta(
            description="Stop nodes that have nothing to do. Left out: all run all the time.",
            examples=[{"idle": "10m", "static": 2}],
        ),
    ] = UNSET
