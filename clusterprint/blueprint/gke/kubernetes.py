"""Fields of every blueprint with a GKE cluster."""

from typing import TYPE_CHECKING, Annotated, ClassVar, TypeGuard

from msgspec import Meta

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.blueprint.gke.pools import NodePool, SystemPool
from clusterprint.blueprint.gke.secrets import NameOrSecret
from clusterprint.blueprint.google import KubernetesTerraform, NetworkedBlueprint
from clusterprint.blueprint.relations import Excludes, Relation, Unique, excludes_each, when
from clusterprint.blueprint.storage import KubernetesStorage

if TYPE_CHECKING:
    from clusterprint.blueprint.ray.blueprint import RayBlueprint

_EXISTING = when("/cluster.existing")
_PLAIN = when("/cluster.existing.context")
_NO_GPU_NETWORKS = when("@gpu_networks", False)
# What is about pools that are added is no setting of the cluster.
_KEPT = {
    *("cluster.existing", "cluster.version", "cluster.grant_kms_keys"),
    *("network.gpu_cidr", "network.allow_public_cidr"),
}
_SETTINGS = (
    *(f"cluster.{field}" for field in Cluster.__struct_fields__),
    *(f"network.{field}" for field in ClusterNetwork.__struct_fields__),
    "system_pool",
)
_OF_CREATED = " ".join(each for each in _SETTINGS if each not in _KEPT)
_OF_GOOGLE = (
    "node_pools compute_classes workload_identity secrets storage service_account registry kms_key "
    "more_services image_build binary_authorization ray.dashboard ray.gateway image_builds "
    "workloads.tpu_provisioner workloads.nvidia_dra workloads.nccl workloads.checkpoints "
    "workloads.ml_diagnostics workloads.inference workloads.kueue.topology_pools"
)


class KubernetesBlueprint(NetworkedBlueprint, frozen=True, kw_only=True):
    """A GKE cluster on Google Cloud."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *excludes_each("GKE291", _OF_CREATED, _EXISTING, instead=""),
        *excludes_each(
            "GKE291", "network.gpu_cidr network.allow_public_cidr", _EXISTING, _NO_GPU_NETWORKS, instead=""
        ),
        *excludes_each("GKE291", "service_account", _EXISTING, when("@creates_nodes", False), instead=""),
        *excludes_each("GKE294", _OF_GOOGLE, _PLAIN),
        Excludes("GKE294", when("ray.operator", "addon"), _PLAIN, words="addon"),
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

    terraform: Annotated[KubernetesTerraform, Meta(description="Settings of Terraform itself.")] = (
        KubernetesTerraform()
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


def is_ray(blueprint: Blueprint) -> "TypeGuard[RayBlueprint]":
    """Whether a blueprint is of kind ray; asks its kind, so that kind gke need not import Ray's types."""
    return blueprint.kind == "ray"
