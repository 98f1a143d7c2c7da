"""What the nodes of `kind: vm` work together as."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.vm_ray import NodeRay


class Bootstrap(Part, frozen=True, kw_only=True):
    """What the nodes work together as, when all of them are ready."""

    ray: (
        Annotated[NodeRay, Meta(description="A Ray cluster.", examples=[{"version": "2.48.0"}])] | UnsetType
    ) = UNSET
