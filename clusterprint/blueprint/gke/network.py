"""The network of a GKE cluster."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr, ProjectId, ResourceName


class ExistingClusterNetwork(Part, frozen=True, kw_only=True):
    """A network that is already there, with a subnet and two secondary ranges for the cluster."""

    name: Annotated[ResourceName, Meta(description="Name of the VPC network.")]
    subnetwork: Annotated[
        ResourceName,
        Meta(description="Name of a subnet of it, in the cluster's region.", examples=["my-subnet"]),
    ]
    pod_range: Annotated[
        ResourceName,
        Meta(description="Name of the subnet's secondary range for pods.", examples=["pods"]),
    ]
    service_range: Annotated[
        ResourceName,
        Meta(description="Name of the subnet's secondary range for services.", examples=["services"]),
    ]
    project: (
        Annotated[
            ProjectId,
            Meta(description="Host project, for a shared VPC. Left out: the cluster's project."),
        ]
        | UnsetType
    ) = UNSET


class ClusterNetwork(GoogleNetwork, frozen=True, kw_only=True):
    """The network of the cluster. GPU networks are added as the pools need them."""

    cidr: Annotated[
        Cidr,
        Meta(
            description="Addresses of everything together: the first half is for pods, then a quarter for "
            "GPU networks, an eighth for nodes and an eighth for services. Ranges of pods cannot change "
            "later, so they are cut large."
        ),
    ] = "10.64.0.0/14"
    node_cidr: (
        Annotated[
            Cidr,
            Meta(
                description="Addresses of nodes. Left out: the seventh eighth of `cidr`.",
                examples=["10.67.0.0/17"],
            ),
        ]
        | UnsetType
    ) = UNSET
    pod_cidr: (
        Annotated[
            Cidr,
            Meta(
                description="Addresses of pods. Left out: the first half of `cidr`.",
                examples=["100.64.0.0/14"],
            ),
        ]
        | UnsetType
    ) = UNSET
    service_cidr: (
        Annotated[
            Cidr,
            Meta(
                description="Addresses of services. Left out: the last eighth of `cidr`, at most a "
                "/20 of it.",
                examples=["10.67.128.0/20"],
            ),
        ]
        | UnsetType
    ) = UNSET
    gpu_cidr: (
        Annotated[
            Cidr,
            Meta(
                description="Addresses of GPU networks, cut into 32 equal parts. Left out: the third "
                "quarter of `cidr`.",
                examples=["10.66.0.0/16"],
            ),
        ]
        | UnsetType
    ) = UNSET
    nat: Annotated[
        bool, Meta(description="Whether private nodes and their pods reach the internet, through Cloud NAT.")
    ] = True
    mtu: Annotated[
        int,
        Meta(
            ge=1300,
            le=8896,
            description="Largest packet of the primary network, in bytes. Large ones suit data and "
            "accelerators; a change of it disturbs everything in the network.",
        ),
    ] = 8896
    existing: (
        Annotated[
            ExistingClusterNetwork,
            Meta(
                description="Use this network as the primary one instead of creating one. Its ranges, "
                "firewall and NAT are then its owner's business."
            ),
        ]
        | UnsetType
    ) = UNSET
