"""Slurm on machines of any cloud: partitions, accounts and QOS."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Needs, Refuses, Relation, Unique, when
from clusterprint.blueprint.texts import Duration, looks_like


def _name(what: str, example: str) -> Meta:
    said = (
        "1 to 30 lower-case letters, digits and hyphens, starting with a letter and not ending with a hyphen"
    )
    return looks_like("^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$", f"the name of a {what}: {said}", example)


QosName = Annotated[str, _name("QOS", "urgent")]


class SlurmQos(Part, frozen=True, kw_only=True):
    """Limits and priority of jobs that are submitted with `--qos`, or of all jobs of a partition."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("BP294", "yields_to", ("bootstrap.slurm.qos",), "QOS", "QOS"),
        Unique("BP291", "yields_to", "{item} is listed twice", key=(), help="list it once"),
        Needs("BP294", when("grace"), when("yields_to"), words="grace"),
        Refuses("BP294", "max_wall", "outside", ("1m", "", "1m"), words="minutes"),
    )

    name: Annotated[
        QosName,
        Meta(description="Name of the QOS, as in `sbatch --qos`. `normal` is that of jobs that name none."),
    ]
    priority: Annotated[
        int, Meta(ge=0, le=1_000_000, description="Jobs of a higher number start first.", examples=[100])
    ] = 0
    max_jobs_per_user: Annotated[
        int | UnsetType,
        Meta(ge=1, le=1_000_000, description="Jobs of a user that run at once.", examples=[4]),
    ] = UNSET
    max_wall: Annotated[
        Duration | UnsetType,
        Meta(description="Maximum run time of a job, in whole minutes.", examples=["4h"]),
    ] = UNSET
    yields_to: Annotated[
        tuple[QosName, ...],
        Meta(
            description="Jobs of these QOS take nodes from jobs of this one, which go back to the queue.",
            examples=[["urgent"]],
        ),
    ] = ()
    grace: Annotated[
        Duration | UnsetType,
        Meta(
            description="So long such a job may go on after SIGTERM. Left out: it may not.", examples=["2m"]
        ),
    ] = UNSET


class PlainQueue(Part, frozen=True, kw_only=True):
    """Nodes that jobs are submitted to by one name, whatever the nodes are."""

    relations: ClassVar[tuple[Relation, ...]] = (
        # Slurm takes a line about a partition of this name for the defaults of all that follow.
        Refuses("BP292", "name", "one_of", ("BP292",)),
    )

    name: Annotated[
        str,
        _name("partition", "gpu"),
        Meta(description="Name of the partition, as in `sbatch --partition`."),
    ]
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


class SlurmQueue(PlainQueue, frozen=True, kw_only=True):
    """Nodes that jobs are submitted to by one name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *PlainQueue.relations,
        Names("BP294", "qos", ("bootstrap.slurm.qos",), "QOS", "QOS"),
    )

    qos: Annotated[
        QosName | UnsetType,
        Meta(description="All jobs of the partition have the limits of this QOS, too.", examples=["urgent"]),
    ] = UNSET


class SlurmAccounting(Part, frozen=True, kw_only=True):
    """A database of all jobs (`sacct`, `sreport`), on the disk that the controller boots from."""


class Slurm(Part, frozen=True, kw_only=True):
    """Slurm from the packages of Ubuntu or Debian; every node registers itself with the controller."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Unique("BP291", "partitions", "there are two partitions called {item.name}"),
        Unique("BP291", "qos", "there are two QOS called {item.name}"),
        Needs("BP294", when("qos"), when("accounting")),
    )

    partitions: Annotated[
        tuple[SlurmQueue, ...],
        Meta(
            description="Partitions. Left out: one, called `all`.",
            examples=[[{"name": "long", "max_time": "2d"}]],
        ),
    ] = ()
    accounting: Annotated[
        SlurmAccounting | UnsetType,
        Meta(description="Keep accounts of jobs. Left out: none.", examples=[{}]),
    ] = UNSET
    qos: Annotated[
        tuple[SlurmQos, ...],
        Meta(
            description="Limits and priorities of jobs. Who has logged in on the controller may use all.",
            examples=[[{"name": "urgent", "priority": 100, "max_jobs_per_user": 2}]],
        ),
    ] = ()
