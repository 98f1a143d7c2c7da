"""MPI in a cluster: the operator, and the jobs that it runs."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.texts import KubernetesName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Unique
from clusterprint.blueprint.texts import ContainerImage


class Mpi(Part, frozen=True, kw_only=True):
    """MPI jobs and the operator that runs them."""

    relations = (
        Unique(
            "GKE108",
            "jobs",
            "there are two MPI jobs called {item.name}",
            help="give one of them another name; to run a job again, change its run",
        ),
    )

    jobs: Annotated[
        tuple[MpiJob, ...],
        Meta(
            description="Jobs to run.",
            examples=[
                [
                    {
                        "name": "hpl",
                        "image": "us-docker.pkg.dev/my-project/images/trainer:v1",
                        "workers": 3,
                        "command": ["xhpl"],
                    }
                ]
            ],
        ),
    ] = ()
    namespace: Annotated[KubernetesName, Meta(description="Namespace of the jobs.")] = "default"
    operator_image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of the MPI operator (kubeflow.org/v2beta1). Left out: the image that this "
            "release of clusterprint pins.",
            examples=["mpioperator/mpi-operator:0.8.0"],
        ),
    ] = UNSET
