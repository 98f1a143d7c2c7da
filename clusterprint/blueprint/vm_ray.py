"""Ray on the machines of `kind: vm`."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Refuses, Relation
from clusterprint.blueprint.texts import (
    NO_DIGEST,
    RAY_VERSION,
    ContainerImage,
    Duration,
    RayVersion,
    looks_like,
)


class NodeRay(Part, frozen=True, kw_only=True):
    """Ray on all nodes, in a container each: one of them is the head, the others join it."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("VM146", "head_group", ("node_groups",), "group of nodes", "groups of nodes"),
        Refuses("VM122", "image", "matching", (NO_DIGEST,)),
        Refuses("VM184", "autostop", "outside", ("5m", "")),
    )

    version: Annotated[
        RayVersion,
        Meta(
            description="Version of Ray's official image for Python 3.12, with CUDA on machines with GPUs. "
            "Clients and jobs must use the same version."
        ),
    ] = RAY_VERSION
    image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image that contains Ray, instead of the official one, preferably by digest.",
            examples=[f"us-docker.pkg.dev/my-project/images/ray@sha256:{'0123456789abcdef' * 4}"],
        ),
    ] = UNSET
    head_group: Annotated[
        str | UnsetType,
        looks_like(
            "^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$",
            "the name of a group of nodes: 1 to 15 lower-case letters, digits and hyphens",
            "login",
        ),
        Meta(description="Group of nodes that the head is chosen from. Left out: any node."),
    ] = UNSET
    autostop: Annotated[
        Duration | UnsetType,
        Meta(
            description="Idle time, without jobs and without resources in use, after which all nodes of the "
            "cluster shut down (5m or more). They keep their boot disks; the output `ray` has the command "
            "that starts them again. Requires `repair: false`, or their groups restart them immediately. "
            "Left out: never.",
            examples=["1h"],
        ),
    ] = UNSET
