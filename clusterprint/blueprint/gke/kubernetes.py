"""Fields of every blueprint with a GKE cluster."""

from typing import Annotated, ClassVar

from msgspec import Meta

from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.blueprint.gke.pools import NodePool, SystemPool
from clusterprint.blueprint.gke.secrets import NameOrSecret
from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.relations import Relation, Unique
from clusterprint.blueprint.storage import KubernetesStorage


class KubernetesBlueprint(NetworkedBlueprint, frozen=True, kw_only=True):
    """A GKE cluster on Google Cloud."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Unique(
            "GKE090",
            "workload_identity",
            "service account {item.name} of namespace {item.namespace} is listed twice",
            key=("name", "namespace"),
            help="merge the two entries into one",
        ),
        Unique(
            "GKE370",
            "secrets",
            "secret {item.name} is listed twice",
            help="remove one of them, or give it another name",
        ),
        Unique("GKE046", "node_pools", "there are two node pools called {item.name}"),
        Unique(
            "GKE050",
            "compute_classes",
            "there are two compute classes called {item.name}",
            help="give one of them another name, or merge the two",
        ),
    )

    cluster: Annotated[
        Cluster,
        Meta(description="The GKE cluster: access, version, and the components that Google runs in it."),
    ] = Cluster()
    network: Annotated[ClusterNetwork, Meta(description="The network of the cluster.")] = ClusterNetwork()
    storage: Annotated[KubernetesStorage, Meta(description="Storage of the workloads' data.")] = (
        KubernetesStorage()
    )
    system_pool: Annotated[SystemPool, Meta(description="Small node pool for system components.")] = (
        SystemPool()
    )
    node_pools: Annotated[
        tuple[NodePool, ...],
        Meta(
            description="Groups of nodes for workloads.",
            examples=[[{"name": "workers", "machine_type": "n2-standard-4", "count": 3}]],
        ),
    ] = ()
    compute_classes: Annotated[
        tuple[ComputeClass, ...],
        Meta(
            description="Compute classes: each maps a name that workloads request to node pools, in order "
            "of preference."
        ),
    ] = ()
    secrets: Annotated[
        tuple[NameOrSecret, ...],
        Meta(
            description="Secret Manager secrets, created or regional, for workloads. `workload_identity` "
            "determines who can read them.",
            examples=[[{"name": "wandb-api-key", "create": True}]],
        ),
    ] = ()
    workload_identity: Annotated[
        tuple[WorkloadIdentity, ...],
        Meta(
            description="Permissions of Kubernetes service accounts in Google Cloud.",
            examples=[[{"name": "trainer", "roles": ["roles/storage.objectViewer"]}]],
        ),
    ] = ()
