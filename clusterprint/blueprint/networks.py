"""Networks of every kind of cluster: the subjects of rules about address ranges."""

from typing import Annotated

from msgspec import Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr


class ExistingGoogleNetwork(Part, frozen=True, kw_only=True):
    """A network that is there already; each kind has these as fields, beside what else it needs to know."""

    @property
    def name(self) -> str:
        """The name of the network in its project."""
        raise NotImplementedError

    @property
    def project(self) -> str | UnsetType:
        """The host project of a shared VPC; left out: the cluster's."""
        raise NotImplementedError


class GoogleNetwork(Part, frozen=True, kw_only=True):
    """A network on Google Cloud. Each kind documents how `cidr` is divided into subnets.

    `existing` is a field of each kind of network, with what that kind needs to know of it.
    """

    cidr: Cidr
    allow_public_cidr: Annotated[
        bool,
        Meta(
            description="Allow ranges outside the private address space, for privately used public addresses."
        ),
    ] = False

    @property
    def existing(self) -> ExistingGoogleNetwork | UnsetType:
        """The network that is there, where none is to be made."""
        raise NotImplementedError


class AllowedRange(Part, frozen=True, kw_only=True):
    """An address range that is allowed in."""

    cidr: Cidr
