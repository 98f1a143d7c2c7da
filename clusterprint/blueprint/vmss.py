"""`kind: vmss`: GPU machines on Azure in a scale set, with a head node and no scheduler."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import (
    Admin,
    AzureBlueprint,
    ImageId,
    ImageUrn,
    NetworkResourceName,
    Repair,
    ResourceGroupName,
    Size,
)
from clusterprint.blueprint.azure_machines import AzureCapacity, OsDisk
from clusterprint.blueprint.azure_storage import AzureStorage
from clusterprint.blueprint.content import Script
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr, Duration


class VmssNodes(Part, frozen=True, kw_only=True):
    """The machines of the scale set. The catalog supplies whatever follows from the size."""

    size: Annotated[
        Size,
        Meta(description="Size of each node. GPUs, InfiniBand, NVMe disks and the image follow from it."),
    ]
    count: Annotated[
        int, Meta(ge=0, le=1000, description="How many nodes to run. 0 keeps everything but the nodes.")
    ] = 1
    orchestration: (
        Annotated[
            Literal["uniform", "flexible"],
            Meta(
                description="How the scale set keeps its machines. Left out: uniform for sizes with "
                "InfiniBand, flexible for others.",
                extra_json_schema={
                    "enumDescriptions": {
                        "uniform": "Identical instances in one InfiniBand partition; at most 100 of them.",
                        "flexible": "Ordinary virtual machines that belong together; at most 1000.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    image: (
        Annotated[
            ImageUrn,
            Meta(
                description="Marketplace image. Left out: Ubuntu for HPC with the driver of the size's GPUs."
            ),
        ]
        | UnsetType
    ) = UNSET
    image_has_plan: Annotated[
        bool,
        Meta(
            description="Whether the image is sold with a plan, whose terms somebody has accepted for the "
            "subscription (`az vm image terms accept`)."
        ),
    ] = False
    image_id: (
        Annotated[ImageId, Meta(description="An image of your own, instead of one of the marketplace.")]
        | UnsetType
    ) = UNSET
    os_disk: Annotated[OsDisk, Meta(description="The disk that each node starts from.")] = OsDisk()
    security_type: Annotated[
        Literal["standard", "trusted_launch"],
        Meta(
            description="Protection of the boot sequence.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "None: what the HPC images and their unsigned GPU drivers need.",
                    "trusted_launch": "Secure boot and a virtual TPM, for images that are made for them.",
                }
            },
        ),
    ] = "standard"
    capacity: Annotated[AzureCapacity, Meta(description="How the machines are paid for and obtained.")] = (
        AzureCapacity()
    )
    update: Annotated[
        Literal["opportunistic", "proactive"],
        Meta(
            description="When a change of the nodes (image, size, scripts) reaches nodes that run already.",
            extra_json_schema={
                "enumDescriptions": {
                    "opportunistic": "When a node is next made anew: no running job is ever interrupted.",
                    "proactive": "At once: Terraform rolls a uniform set over, node by node.",
                }
            },
        ),
    ] = "opportunistic"
    proximity_placement: Annotated[
        bool,
        Meta(
            description="Whether the nodes are put into one data centre by a proximity placement group. "
            "Machines with InfiniBand in a uniform set are close without it."
        ),
    ] = False
    zone: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=3,
                description="Availability zone of nodes and head. Left out: Azure decides, per region.",
                examples=[1],
            ),
        ]
        | UnsetType
    ) = UNSET


class HeadDisk(OsDisk, frozen=True, kw_only=True):
    """The disk that the head starts from."""

    size_gb: Annotated[int, Meta(ge=30, le=2048, description="Size in GB.")] = 128


class HeadNode(Part, frozen=True, kw_only=True):
    """The machine that people log in to, and that reaches every node by name."""

    size: (
        Annotated[
            Size,
            Meta(
                description="Size. Left out: Standard_D4s_v5, which has no GPUs; in the scale set, the "
                "size of the nodes."
            ),
        ]
        | UnsetType
    ) = UNSET
    in_scale_set: Annotated[
        bool,
        Meta(description="Whether the head is a member of the (flexible) scale set, and computes with it."),
    ] = False
    image: (
        Annotated[
            ImageUrn,
            Meta(
                description="Marketplace image. Left out: Ubuntu 24.04; inside the scale set, the image of "
                "the nodes."
            ),
        ]
        | UnsetType
    ) = UNSET
    os_disk: Annotated[HeadDisk, Meta(description="The disk that the head starts from.")] = HeadDisk()
    public_ip: Annotated[
        bool,
        Meta(
            description="Whether the head has a static public address of its own. Without, people come "
            "through Bastion, or from inside the network."
        ),
    ] = True
    ssh_source_ranges: Annotated[
        tuple[Cidr, ...],
        Meta(
            description="Who may open SSH connections from outside the network.",
            examples=[["203.0.113.0/24"]],
        ),
    ] = ()
    startup_script: (
        Annotated[Script, Meta(description="Script that runs as root, once, when the head is set up.")]
        | UnsetType
    ) = UNSET


class InboundNat(Part, frozen=True, kw_only=True):
    """A load balancer that forwards one port to the SSH server of each node."""

    first_port: Annotated[
        int,
        Meta(
            ge=1024, le=64000, description="Port of the first node; the next ones follow.", examples=[50000]
        ),
    ] = 50000


class ExistingSubnet(Part, frozen=True, kw_only=True):
    """A subnet that is already there."""

    virtual_network: Annotated[NetworkResourceName, Meta(description="Name of the virtual network.")]
    subnet: Annotated[NetworkResourceName, Meta(description="Name of a subnet of it.", examples=["gpus"])]
    cidr: Annotated[Cidr, Meta(description="Range of this subnet, to check that it holds all machines.")]
    resource_group: (
        Annotated[
            ResourceGroupName,
            Meta(description="Resource group of the virtual network. Left out: the cluster's."),
        ]
        | UnsetType
    ) = UNSET


class VmssNetwork(Part, frozen=True, kw_only=True):
    """The network of the cluster."""

    cidr: Annotated[
        Cidr,
        Meta(
            description="Addresses of the virtual network. The first half goes to the machines; of the "
            "second, Bastion gets the end."
        ),
    ] = "10.0.0.0/16"
    nat: Annotated[
        bool,
        Meta(description="Whether machines without a public address reach the internet, by a NAT gateway."),
    ] = True
    bastion: Annotated[
        bool,
        Meta(description="Whether to create Azure Bastion, which lets people in by their Azure accounts."),
    ] = False
    inbound_nat: (
        Annotated[
            InboundNat,
            Meta(
                description="Reach each node from outside, on a port of its own, from `head_node."
                "ssh_source_ranges`. Left out: nodes are reached through the head."
            ),
        ]
        | UnsetType
    ) = UNSET
    existing: (
        Annotated[
            ExistingSubnet,
            Meta(
                description="Use this subnet instead of creating a network. Its way out to the internet is "
                "then its owner's business."
            ),
        ]
        | UnsetType
    ) = UNSET


class HealthChecks(Part, frozen=True, kw_only=True):
    """Tests of the hardware of each node: Azure's node health checks, and DCGM on NVIDIA GPUs."""

    at_provisioning: Annotated[bool, Meta(description="Whether they run when a node is set up.")] = True
    dcgm_level: Annotated[
        int,
        Meta(ge=1, le=4, description="Level of the DCGM diagnostics: 1 takes seconds, 4 more than an hour."),
    ] = 2
    repair: (
        Annotated[
            Repair,
            Meta(description="Let Azure act on nodes that fail them. Left out: they are only reported."),
        ]
        | UnsetType
    ) = UNSET


class VmssBlueprint(AzureBlueprint, frozen=True, kw_only=True):
    """GPU machines on Azure in a scale set, with a head node and without a scheduler."""

    kind: Annotated[Literal["vmss"], Meta(description="Kind of cluster.", examples=["vmss"])]
    nodes: Annotated[VmssNodes, Meta(description="The machines of the scale set.")]
    admin: Annotated[Admin, Meta(description="Who may log in to the machines.")]
    head_node: Annotated[
        HeadNode,
        Meta(
            description="The machine that people log in to, and that reaches every node by name.",
            examples=[{"ssh_source_ranges": ["203.0.113.0/24"]}],
        ),
    ] = HeadNode()
    network: Annotated[VmssNetwork, Meta(description="The network of the cluster.")] = VmssNetwork()
    health_checks: Annotated[HealthChecks, Meta(description="Tests of the hardware of each node.")] = (
        HealthChecks()
    )
    storage: Annotated[AzureStorage, Meta(description="Data that the machines work on.")] = AzureStorage()
    startup_script: (
        Annotated[Script, Meta(description="Script that runs as root, once, when a node is set up.")]
        | UnsetType
    ) = UNSET
    time_to_live: (
        Annotated[
            Duration,
            Meta(
                description="How long after its creation the cluster stops by itself. Left out: never.",
                examples=["7d"],
            ),
        ]
        | UnsetType
    ) = UNSET
