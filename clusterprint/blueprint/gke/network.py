"""The network of a GKE cluster."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.networks import ExistingGoogleNetwork, GoogleNetwork
from clusterprint.blueprint.relations import Excludes, Relation, excludes_each, when, written
from clusterprint.blueprint.texts import Cidr, ProjectId, ResourceName


class ExistingClusterNetwork(ExistingGoogleNetwork, frozen=True, kw_only=True):
    """An existing network, with a subnet and two secondary ranges for the cluster."""

    name: Annotated[ResourceName, Meta(description="Name of the VPC network.")]
    subnetwork: Annotated[
        ResourceName,
        Meta(
            description="Name of a subnet of this network, in the cluster's region.", examples=["my-subnet"]
        ),
    ]
    pod_range: Annotated[
        ResourceName,
        Meta(description="Name of the subnet's secondary range for pods.", examples=["pods"]),
    ]
    service_range: Annotated[
        ResourceName,
        Meta(description="Name of the subnet's secondary range for services.", examples=["services"]),
    ]
    project: Annotated[
        ProjectId | UnsetType,
        Meta(description="Host project, for a shared VPC. Left out: the cluster's project."),
    ] = UNSET


class ClusterNetwork(GoogleNetwork, frozen=True, kw_only=True):
    """The network of the cluster. GPU networks are added if the node pools need them."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *excludes_each("GKE064", "node_cidr pod_cidr service_cidr nat mtu", when("existing"), instead=""),
        *excludes_each(
            "GKE064",
            "cidr gpu_cidr allow_public_cidr",
            when("existing"),
            when("@gpu_networks", False),
            instead="",
        ),
        Excludes("GKE065", when("nat", False), when("/cluster.private_nodes"), (when("@is_created"),)),
        Excludes(
            "GKE066",
            written("nat"),
            when("/cluster.private_nodes", False),
            (when("nat"), when("@is_created")),
        ),
    )

    cidr: Annotated[
        Cidr,
        Meta(
            description="Address range of the cluster: the first half is for pods, the next quarter for "
            "GPU networks, then an eighth each for nodes and services. The pod range cannot be changed "
            "later, so it is large."
        ),
    ] = "10.64.0.0/14"
    node_cidr: Annotated[
        Cidr | UnsetType,
        Meta(
            description="Address range of nodes. Left out: the seventh eighth of `cidr`.",
            examples=["10.67.0.0/17"],
        ),
    ] = UNSET
    pod_cidr: Annotated[
        Cidr | UnsetType,
        Meta(
            description="Address range of pods. Left out: the first half of `cidr`.",
            examples=["100.64.0.0/14"],
        ),
    ] = UNSET
    service_cidr: Annotated[
        Cidr | UnsetType,
        Meta(
            description="Address range of services. Left out: the last eighth of `cidr`, limited to a /20.",
            examples=["10.67.128.0/20"],
        ),
    ] = UNSET
    gpu_cidr: Annotated[
        Cidr | UnsetType,
        Meta(
            description="Address range of GPU networks, divided into 32 equal parts. Left out: the third "
            "quarter of `cidr`.",
            examples=["10.66.0.0/16"],
        ),
    ] = UNSET
    nat: Annotated[
        bool, Meta(description="Give private nodes and their pods access to the internet through Cloud NAT.")
    ] = True
    mtu: Annotated[
        int,
        Meta(
            ge=1300,
            le=8896,
            description="MTU of the primary network, in bytes. A large MTU suits data and accelerators. "
            "Changing it disrupts all traffic in the network.",
        ),
    ] = 8896
    existing: Annotated[
        ExistingClusterNetwork | UnsetType,
        Meta(
            description="Existing network to use as the primary one. Its owner manages its ranges, firewall "
            "and NAT."
        ),
    ] = UNSET
