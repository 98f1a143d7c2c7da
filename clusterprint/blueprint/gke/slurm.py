"""Slurm on the nodes of a Kubernetes cluster."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.job_fields import NODES
from clusterprint.blueprint.gke.mounts import EXAMPLES, VolumeMount
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Relation, Unique
from clusterprint.blueprint.slurm import PlainQueue
from clusterprint.blueprint.texts import ContainerImage, looks_like


class ClusterPartition(PlainQueue, frozen=True, kw_only=True):
    """Node pools that jobs are submitted to by one name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("GKE540", "pools", NODES, "node pool"),
        *PlainQueue.relations,
        Unique("BP291", "pools", "pool {item} is listed twice", key=(), help="list it once"),
    )

    pools: Annotated[
        tuple[PoolName, ...],
        Meta(
            min_length=1,
            description="Node pools in it. All of their nodes run Slurm and nothing else: Kueue has no "
            "quotas of them.",
            examples=[["workers"]],
        ),
    ]


class SlurmDatabase(Part, frozen=True, kw_only=True):
    """An existing database (MariaDB or MySQL) for the accounts of jobs: `sacct`, `sreport`."""

    host: Annotated[
        str,
        looks_like("^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$", "a host name or an IP address", "10.20.0.3"),
        Meta(description="Host of the database, as pods reach it."),
    ]
    port: Annotated[int, Meta(ge=1, le=65535, description="Its port.")] = 3306
    database: Annotated[
        str,
        looks_like("^[A-Za-z][A-Za-z0-9_]{0,63}$", "the name of a database", "slurm_acct_db"),
        Meta(description="Name of the database; Slurm creates its tables."),
    ] = "slurm_acct_db"
    user: Annotated[
        str,
        looks_like("^[A-Za-z][-.A-Za-z0-9_]{0,31}$", "the name of a user", "slurm"),
        Meta(description="User of the database, with all rights on it."),
    ] = "slurm"
    secret: Annotated[
        KubernetesName,
        Meta(
            description="Kubernetes Secret in namespace `slurm` with its password, under the key `password`. "
            "You create it, so that the password is in no state.",
            examples=["slurm-database"],
        ),
    ]


class ClusterSlurm(Part, frozen=True, kw_only=True):
    """Slurm by SchedMD's operator (Slinky): a controller, a pod to log in to, one worker per node.

    Requires `cert_manager`. Everything is in namespace `slurm`; the login pod has no address outside.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Unique("BP291", "partitions", "there are two partitions called {item.name}"),
    )

    partitions: Annotated[
        tuple[ClusterPartition, ...],
        Meta(
            min_length=1,
            description="Partitions, of node pools with a fixed number of nodes.",
            examples=[[{"name": "gpu", "pools": ["workers"], "max_time": "2d"}]],
        ),
    ]
    image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of the workers, which jobs run in: Slinky's slurmd with your software. Left "
            "out: Slinky's own."
        ),
    ] = UNSET
    login_image: Annotated[
        ContainerImage | UnsetType,
        Meta(description="Image of the login pod. Left out: Slinky's own."),
    ] = UNSET
    mounts: Annotated[
        tuple[VolumeMount, ...],
        Meta(
            description="Volumes in the login pod and in all workers, for homes and data.", examples=EXAMPLES
        ),
    ] = ()
    accounting: Annotated[
        SlurmDatabase | UnsetType,
        Meta(
            description="Keep accounts of jobs. Left out: none.",
            examples=[{"host": "10.20.0.3", "secret": "slurm-database"}],
        ),
    ] = UNSET
    definitions: Annotated[Chart, Meta(description="Helm chart of the operator's kinds of objects.")] = (
        Chart()
    )
    operator: Annotated[Chart, Meta(description="Helm chart of the operator.")] = Chart()
    cluster: Annotated[Chart, Meta(description="Helm chart of Slurm itself.")] = Chart()
