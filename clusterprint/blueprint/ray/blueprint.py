"""`kind: ray`: a Ray cluster on GKE."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.texts import SecretName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.ray.image_build import ImageBuild
from clusterprint.blueprint.ray.ray import Ray


class Registry(Part, frozen=True, kw_only=True):
    """Artifact Registry repositories of the cluster: its own, copies of the public ones, and one for both."""

    docker: Annotated[bool, Meta(description="For container images, with a copy of Docker Hub.")] = False
    python: Annotated[bool, Meta(description="For Python packages, with a copy of PyPI.")] = False


class BinaryAuthorization(Part, frozen=True, kw_only=True):
    """Which images the project's clusters run. The policy is the whole project's: one cluster sets it."""

    mode: Annotated[
        Literal["audit", "enforce"],
        Meta(
            description="What happens to images that Cloud Build of this project did not build.",
            extra_json_schema={
                "enumDescriptions": {
                    "audit": "They run, and the audit log says so.",
                    "enforce": "They do not run.",
                }
            },
        ),
    ] = "audit"


class RayBlueprint(KubernetesBlueprint, frozen=True, kw_only=True):
    """A Ray cluster on GKE, with its network between GPUs, its image and its jobs."""

    kind: Annotated[Literal["ray"], Meta(description="Kind of cluster.", examples=["ray"])]
    ray: Annotated[Ray, Meta(description="The Ray cluster.")]
    secrets: Annotated[
        tuple[SecretName, ...],
        Meta(
            description="Secrets of Secret Manager, which exist, that Ray's pods may read, and nobody else "
            "because of this cluster.",
            examples=[["wandb-api-key"]],
        ),
    ] = ()
    registry: Annotated[Registry, Meta(description="Repositories for images and packages.")] = Registry()
    image_build: (
        Annotated[
            ImageBuild,
            Meta(description="Build the image of the Ray pods; needs `registry.docker`."),
        ]
        | UnsetType
    ) = UNSET
    binary_authorization: (
        Annotated[BinaryAuthorization, Meta(description="Run only images that were built here.")] | UnsetType
    ) = UNSET
