"""The network of `kind: vmss`, a new one or a subnet that is there."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import NetworkResourceName, ResourceGroupName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Needs, Refuses, Relation, excludes_each, when
from clusterprint.blueprint.texts import Cidr

_RANGE = (
    Refuses("AZ030", "cidr", "no_range"),
    Refuses("AZ031", "cidr", "address"),
    Refuses("AZ033", "cidr", "reserved", ("azure",)),
    Refuses("AZ035", "cidr", "overlapping", ("172.17.0.0/16", "azure")),
)


class InboundNat(Part, frozen=True, kw_only=True):
    """A load balancer that forwards one port to the SSH server of each node."""

    first_port: Annotated[
        int,
        Meta(
            ge=1024,
            le=64000,
            description="Port of the first node; the other nodes use the following ports.",
            examples=[50000],
        ),
    ] = 50000


class ExistingSubnet(Part, frozen=True, kw_only=True):
    """An existing subnet."""

    relations: ClassVar[tuple[Relation, ...]] = _RANGE

    virtual_network: Annotated[NetworkResourceName, Meta(description="Name of the virtual network.")]
    subnet: Annotated[
        NetworkResourceName, Meta(description="Name of a subnet of this network.", examples=["gpus"])
    ]
    cidr: Annotated[
        Cidr, Meta(description="Address range of this subnet, to check that it has room for all machines.")
    ]
    resource_group: Annotated[
        ResourceGroupName | UnsetType,
        Meta(description="Resource group of the virtual network. Left out: the cluster's."),
    ] = UNSET


class VmssNetwork(Part, frozen=True, kw_only=True):
    """The network of the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *excludes_each("AZ036", "cidr nat bastion", when("existing"), instead=""),
        Needs("AZ037", when("nat", False), when("existing")),
        *(
            each._replace(given=(when("existing", UNSET),))
            for each in (*_RANGE, Refuses("AZ034", "cidr", "public", ("azure",)))
        ),
    )

    cidr: Annotated[
        Cidr,
        Meta(
            description="Address range of the virtual network. The first half is for the machines, the "
            "end of the second half for Bastion."
        ),
    ] = "10.0.0.0/16"
    nat: Annotated[
        bool,
        Meta(
            description="Give machines without a public address access to the internet through a NAT gateway."
        ),
    ] = True
    bastion: Annotated[
        bool,
        Meta(description="Create Azure Bastion, where users connect with their Azure accounts."),
    ] = False
    inbound_nat: Annotated[
        InboundNat | UnsetType,
        Meta(
            description="Make each node reachable by SSH on its own public port, from "
            "`head_node.ssh_source_ranges`. Left out: nodes are reached through the head node."
        ),
    ] = UNSET
    existing: Annotated[
        ExistingSubnet | UnsetType,
        Meta(
            description="Existing subnet to use instead of a new network. Its owner manages its internet "
            "access."
        ),
    ] = UNSET
