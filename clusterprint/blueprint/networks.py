"""What networks have in common, whatever the kind of cluster: the subjects of rules about address ranges."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr


class GoogleNetwork(Part, frozen=True, kw_only=True):
    """A network on Google Cloud. Each kind documents how `cidr` is divided into subnets."""

    cidr: Cidr
    allow_public_cidr: Annotated[
        bool,
        Meta(
            description="Allow ranges outside the private address space, for privately used public addresses."
        ),
    ] = False


class AllowedRange(Part, frozen=True, kw_only=True):
    """An address range that is allowed in."""

    cidr: Cidr
