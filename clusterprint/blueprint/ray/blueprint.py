"""`kind: ray`: a Ray cluster on GKE."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.registry import Registry
from clusterprint.blueprint.gke.secrets import NameOrSecret
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.blueprint.ray.ray import Ray
from clusterprint.blueprint.relations import Excludes, Needs, Relation, follows, when, written
from clusterprint.blueprint.texts import choice


class BinaryAuthorization(Part, frozen=True, kw_only=True):
    """Which images may run. The policy applies to the whole project, so only one cluster may set it."""

    mode: Annotated[
        Literal["audit", "enforce"],
        choice(
            description="Action on images that were not built by Cloud Build in this project.",
            values={
                "audit": "They run, and are recorded in the audit log.",
                "enforce": "They are blocked.",
            },
        ),
    ] = "audit"


class RayBlueprint(KubernetesBlueprint, frozen=True, kw_only=True):
    """A Ray cluster on GKE, with GPU networks, a container image and jobs."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("RAY021", when("image_build"), when("ray.image")),
        Needs("RAY022", when("image_build"), when("registry.docker")),
        Excludes("RAY030", when("ray.operator", "chart"), when("cluster.addons.ray")),
        Needs("RAY050", when("binary_authorization"), when("image_build")),
        *(
            Excludes(
                "RAY096",
                written(field),
                when("cluster.existing"),
                (follows("existing.is_plain", "/cluster.existing", False),),
                words=field,
            )
            for field in ("image_build", "binary_authorization")
        ),
    )

    stacks = ("cluster", "ray")

    kind: Annotated[Literal["ray"], Meta(description="Kind of cluster.", examples=["ray"])]
    ray: Annotated[Ray, Meta(description="The Ray cluster.")]
    secrets: Annotated[
        tuple[NameOrSecret, ...],
        Meta(
            description="Secret Manager secrets, existing or created, that the Ray pods can read. Other "
            "workloads get access by `workload_identity` only.",
            examples=[["wandb-api-key"], [{"name": "wandb-api-key", "create": True}]],
        ),
    ] = ()
    registry: Annotated[Registry, Meta(description="Repositories for images and packages.")] = Registry()
    image_build: Annotated[
        RayImageBuild | UnsetType,
        Meta(description="Build the image of the Ray pods. Requires `registry.docker`."),
    ] = UNSET
    binary_authorization: Annotated[
        BinaryAuthorization | UnsetType,
        Meta(description="Run only images that were built by Cloud Build in this project."),
    ] = UNSET
