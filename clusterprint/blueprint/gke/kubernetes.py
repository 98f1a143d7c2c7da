"""What every blueprint has that stands on a GKE cluster, whatever runs inside."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.blueprint.gke.pools import NodePool, SystemPool
from clusterprint.blueprint.google import GoogleBlueprint


class KubernetesBlueprint(GoogleBlueprint, frozen=True, kw_only=True):
    """A cluster on Google Cloud whose nodes are those of a GKE cluster."""

    cluster: Annotated[
        Cluster, Meta(description="The GKE cluster: who may reach it, its version, what Google runs in it.")
    ] = Cluster()
    network: Annotated[ClusterNetwork, Meta(description="The network of the cluster.")] = ClusterNetwork()
    system_pool: Annotated[SystemPool, Meta(description="The small pool for what is no workload.")] = (
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
        Meta(description="What workloads ask for, and the pools that give it, best first."),
    ] = ()
    workload_identity: Annotated[
        tuple[WorkloadIdentity, ...],
        Meta(
            description="What service accounts of the cluster may do in Google Cloud.",
            examples=[[{"name": "trainer", "roles": ["roles/storage.objectViewer"]}]],
        ),
    ] = ()
