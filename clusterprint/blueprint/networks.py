"""Networks of every kind of cluster: the subjects of rules about address ranges."""

from typing import Annotated, ClassVar

from msgspec import Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Refuses, Relation, when
from clusterprint.blueprint.texts import Cidr

# The ranges of the networks of all kinds.
_OWN = "cidr node_cidr pod_cidr service_cidr gpu_cidr"


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

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("GCP080", f"ssh_source_ranges {_OWN}", "no_range"),
        Refuses("GCP081", "ssh_source_ranges", "address", words="single"),
        Refuses("GCP081", _OWN, "address"),
        Refuses("GCP082", _OWN, "public", ("google",), given=(when("allow_public_cidr", False),)),
        Refuses("GCP083", _OWN, "reserved", ("google",)),
        Refuses("GCP084", _OWN, "mixed", ("google",), given=(when("allow_public_cidr"),)),
        Refuses("GCP085", _OWN, "class_e"),
    )

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

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("GCP080", "cidr", "no_range"),
        Refuses("GCP081", "cidr", "address", words="single"),
    )

    cidr: Cidr
