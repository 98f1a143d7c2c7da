"""A Kubernetes cluster that is there already, and the nodes that it has."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.taints import Taint
from clusterprint.blueprint.gke.texts import NodeLabelKey, NodeLabelValue, PoolName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import ExactlyOne, Excludes, Needs, Relation, when, written
from clusterprint.blueprint.texts import ProjectId, ResourceName, looks_like

ClusterLocation = Annotated[
    str,
    looks_like(
        "^[a-z]+-[a-z]+[0-9]+(-[a-z])?$",
        "a region or a zone of Google Cloud",
        "us-central1",
        "us-central1-a",
    ),
]

KubectlContext = Annotated[
    str,
    Meta(max_length=253),
    looks_like(
        "^[A-Za-z0-9][-A-Za-z0-9_.:@/]*$",
        "the name of a kubectl context: letters, digits and -_.:@/, and no - in front",
        "kind-lab",
        "admin@on-premises",
    ),
]


class ExistingNodes(Part, frozen=True, kw_only=True):
    """A group of nodes of the existing cluster, as far as jobs need to know it."""

    name: Annotated[
        PoolName,
        Meta(
            description="Name by which jobs refer to the nodes. On GKE without `labels`, the name of "
            "their node pool."
        ),
    ]
    labels: Annotated[
        dict[NodeLabelKey, NodeLabelValue],
        Meta(
            description="Labels that only these nodes have. Left out: on GKE the name of the node pool, "
            "elsewhere any node.",
            examples=[{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}],
        ),
    ] = {}
    taints: Annotated[
        tuple[Taint, ...],
        Meta(
            description="Taints of the nodes, which jobs then tolerate. The taint for GPUs need not be "
            "listed."
        ),
    ] = ()
    count: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=15000,
            description="Number of nodes, which determines Kueue's quotas. Left out: no limit.",
            examples=[4],
        ),
    ] = UNSET
    vcpus: Annotated[
        int | UnsetType, Meta(ge=1, le=1024, description="vCPUs of each node.", examples=[96])
    ] = UNSET
    memory_gb: Annotated[
        int | UnsetType, Meta(ge=1, le=32768, description="Memory of each node, in GB.", examples=[768])
    ] = UNSET
    gpus: Annotated[
        int, Meta(ge=0, le=16, description="NVIDIA GPUs of each node. A pod gets all of them.")
    ] = 0


class ExistingCluster(Part, frozen=True, kw_only=True):
    """A cluster that somebody else looks after: of GKE by `name` and `location`, or any by `context`."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE292", when("location"), when("/region"), (when("@is_elsewhere"),), words="region"),
        Excludes("GKE292", when("project"), when("/project"), (when("@is_foreign"),), words="project"),
        ExactlyOne("GKE290", ("name", "context")),
        Needs("GKE290", when("name"), when("location"), given=(when("context", UNSET),)),
        *(
            Excludes("GKE290", written(field), when("context"))
            for field in ("location", "project", "dns_endpoint")
        ),
    )

    name: Annotated[
        ResourceName | UnsetType, Meta(description="Name of the GKE cluster.", examples=["platform"])
    ] = UNSET
    location: Annotated[
        ClusterLocation | UnsetType,
        Meta(description="Region or zone of the GKE cluster.", examples=["us-central1"]),
    ] = UNSET
    project: Annotated[
        ProjectId | UnsetType,
        Meta(description="Project of the GKE cluster. Left out: the blueprint's `project`."),
    ] = UNSET
    dns_endpoint: Annotated[
        bool,
        Meta(description="Reach the GKE cluster by its DNS name. With false, by its IP address."),
    ] = False
    context: Annotated[
        KubectlContext | UnsetType,
        Meta(
            description="kubectl context of a cluster that is not on GKE, or that is used without any Google "
            "API. Terraform looks it up in the file named by `KUBE_CONFIG_PATH`.",
            examples=["kind-lab"],
        ),
    ] = UNSET
    nodes: Annotated[
        tuple[ExistingNodes, ...],
        Meta(
            description="Nodes of the cluster that jobs can name in `node_pool`. Left out: jobs run on "
            "any node.",
            examples=[[{"name": "h100", "gpus": 8}]],
        ),
    ] = ()
