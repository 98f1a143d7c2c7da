"""What networks have in common, whatever the kind of cluster: the subjects of rules about address ranges."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr


class GoogleNetwork(Part, frozen=True, kw_only=True):
    """A network on Google Cloud that subnets are made in. Each kind says what `cidr` is cut into."""

    cidr: Cidr
    allow_public_cidr: Annotated[
        bool,
        Meta(description="Allow ranges outside the private ones, for privately used public addresses."),
    ] = False


class AllowedRange(Part, frozen=True, kw_only=True):
    """A range of addresses that is let in."""

    cidr: Cidr
