"""`kind: gke`: a Kubernetes cluster with CPU, GPU and TPU nodes on Google Cloud."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.registry import Registry
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.blueprint.relations import Relation, Unique


class GkeBlueprint(KubernetesBlueprint, frozen=True, kw_only=True):
    """A GKE cluster with CPU, GPU and TPU node pools."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Unique(
            "GKE382",
            "image_builds",
            "there are two images called {item.name}",
            help="give it another name",
        ),
    )

    stacks = ("cluster", "workloads")

    kind: Annotated[Literal["gke"], Meta(description="Kind of cluster.", examples=["gke"])]
    workloads: Annotated[Workloads, Meta(description="Workloads inside the cluster.", examples=[{}])] = (
        Workloads()
    )
    registry: Annotated[Registry, Meta(description="Repositories for images and packages.")] = Registry()
    image_builds: Annotated[
        tuple[NamedImageBuild, ...],
        Meta(
            description="Images that are built for the workloads. They are kept in a repository of the "
            "cluster, with or without `registry.docker`.",
            examples=[[{"name": "trainer", "context": "./image"}]],
        ),
    ] = ()
