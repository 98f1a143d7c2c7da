"""The network of `kind: vm`, a new one or one that is there."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.networks import ExistingGoogleNetwork, GoogleNetwork
from clusterprint.blueprint.relations import (
    Excludes,
    Refuses,
    Relation,
    excludes_each,
    follows,
    when,
    written,
)
from clusterprint.blueprint.texts import Cidr, ProjectId, ResourceName


class ExistingNetwork(ExistingGoogleNetwork, frozen=True, kw_only=True):
    """A network that is already there."""

    name: Annotated[ResourceName, Meta(description="Name of the VPC network.")]
    subnetwork: Annotated[
        ResourceName, Meta(description="Name of a subnet of this network, in the cluster's region.")
    ]
    project: Annotated[
        ProjectId | UnsetType,
        Meta(description="Host project, for a shared VPC. Left out: the cluster's project."),
    ] = UNSET


_PUBLIC = follows("node_groups.have_public_addresses", "/nodes.public_ip")


class Network(GoogleNetwork, frozen=True, kw_only=True):
    """The network of the cluster. GPU networks are added as the machine type needs them."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("VM036", "cidr", "overlapping", ("172.17.0.0/16", "google")),
        Refuses("VM039", "ssh_source_ranges", "opening", given=(when("existing", UNSET),)),
        *excludes_each("VM038", "ssh_source_ranges nat mtu", when("existing"), instead="", words="created"),
        *excludes_each(
            "VM038",
            "cidr allow_public_cidr",
            when("existing"),
            follows("node_groups.need_gpu_networks", "/nodes", False),
            instead="",
            words="subnets",
        ),
        Excludes("VM042", when("nat"), _PUBLIC, (written("nat"), when("existing", UNSET))),
        Excludes("VM043", when("nat", False), _PUBLIC._replace(values=(False,)), (when("existing", UNSET),)),
    )

    cidr: Annotated[
        Cidr,
        Meta(
            description="Address range of all subnets. The first half is for the nodes' primary subnet; "
            "each GPU network gets a sixteenth of the second half."
        ),
    ] = "10.0.0.0/16"
    ssh_source_ranges: Annotated[
        tuple[Cidr, ...],
        Meta(
            description="Address ranges that may connect to the nodes by SSH. The default is "
            "Identity-Aware Proxy, which checks each user's IAM permissions; an empty list closes SSH."
        ),
    ] = ("35.235.240.0/20",)
    nat: Annotated[
        bool,
        Meta(description="Give nodes without a public address access to the internet through Cloud NAT."),
    ] = True
    mtu: Annotated[
        int | UnsetType,
        Meta(
            ge=1300,
            le=8896,
            description="MTU of the primary network, in bytes. Left out: what suits the nodes; with "
            "`node_groups` the largest, so that GPU machines can join later.",
            examples=[8896],
        ),
    ] = UNSET
    existing: Annotated[
        ExistingNetwork | UnsetType,
        Meta(
            description="Existing network to use as the primary one. Its owner manages its firewall and NAT."
        ),
    ] = UNSET
