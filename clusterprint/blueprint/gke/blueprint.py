"""`kind: gke`: a Kubernetes cluster with CPU, GPU and TPU nodes on Google Cloud."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.workloads import Workloads


class GkeBlueprint(KubernetesBlueprint, frozen=True, kw_only=True):
    """A GKE cluster with CPU, GPU and TPU node pools."""

    kind: Annotated[Literal["gke"], Meta(description="Kind of cluster.", examples=["gke"])]
    workloads: Annotated[Workloads, Meta(description="What runs inside the cluster.", examples=[{}])] = (
        Workloads()
    )
