"""`kind: vm`: GPU virtual machines on Google Cloud, one or many."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import FileCopy, Script
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import Image, MachineGroup, VmCapacity
from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr, ProjectId, ResourceName, Zone, looks_like

MetadataKey = Annotated[
    str,
    looks_like(
        "^[-_A-Za-z0-9]{1,128}$",
        "a metadata key: at most 128 letters, digits, hyphens and underscores",
        "key1",
    ),
]


class ShieldedVm(Part, frozen=True, kw_only=True):
    """Protection of the boot sequence; with all of it off, the image need not boot by UEFI."""

    secure_boot: Annotated[
        bool,
        Meta(
            description="Only load signed boot components; keeps out unsigned kernel modules, many GPU "
            "drivers among them."
        ),
    ] = False
    vtpm: Annotated[bool, Meta(description="A virtual trusted platform module.")] = True
    integrity_monitoring: Annotated[bool, Meta(description="Compare each boot with the first one.")] = True


class VmNodes(MachineGroup, frozen=True, kw_only=True):
    """The machines of the cluster."""

    capacity: Annotated[VmCapacity, Meta(description="How the machines are paid for and obtained.")] = (
        VmCapacity()
    )
    count: Annotated[
        int, Meta(ge=0, le=1000, description="How many nodes to run. 0 keeps everything but the nodes.")
    ] = 1
    image: (
        Annotated[
            Image,
            Meta(
                description="Image of the boot disks. Left out: Ubuntu, with the NVIDIA driver for GPUs.",
                examples=[{"project": "my-images", "family": "training"}],
            ),
        ]
        | UnsetType
    ) = UNSET
    public_ip: Annotated[
        bool,
        Meta(description="Whether each node has a public address. Without, nodes reach out through NAT."),
    ] = False
    os_login: Annotated[
        bool,
        Meta(description="Whether IAM decides who may log in (OS Login), instead of SSH keys in metadata."),
    ] = True
    shielded_vm: Annotated[ShieldedVm, Meta(description="Protection of the boot sequence.")] = ShieldedVm()
    update: Annotated[
        Literal["opportunistic", "proactive"],
        Meta(
            description="When a change of the nodes (image, script, disk) reaches nodes that run already.",
            extra_json_schema={
                "enumDescriptions": {
                    "opportunistic": "When a node is next recreated: no running job is ever interrupted.",
                    "proactive": "At once, one node after the other.",
                }
            },
        ),
    ] = "opportunistic"


class ExistingNetwork(Part, frozen=True, kw_only=True):
    """A network that is already there."""

    name: Annotated[ResourceName, Meta(description="Name of the VPC network.")]
    subnetwork: Annotated[ResourceName, Meta(description="Name of a subnet of it, in the cluster's region.")]
    project: (
        Annotated[
            ProjectId,
            Meta(description="Host project, for a shared VPC. Left out: the cluster's project."),
        ]
        | UnsetType
    ) = UNSET


class Network(GoogleNetwork, frozen=True, kw_only=True):
    """The network of the cluster. GPU networks are added as the machine type needs them."""

    cidr: Annotated[
        Cidr,
        Meta(
            description="Addresses of all subnets together. The first half goes to the nodes' primary "
            "subnet, each GPU network gets a sixteenth of the second half."
        ),
    ] = "10.0.0.0/16"
    ssh_source_ranges: Annotated[
        tuple[Cidr, ...],
        Meta(
            description="Who may open SSH connections to the nodes. The default is Identity-Aware Proxy, "
            "which checks each person's IAM rights; an empty list closes SSH."
        ),
    ] = ("35.235.240.0/20",)
    nat: Annotated[
        bool,
        Meta(description="Whether nodes without a public address reach the internet, through Cloud NAT."),
    ] = True
    mtu: (
        Annotated[
            int,
            Meta(
                ge=1300,
                le=8896,
                description="Largest packet of the primary network, in bytes. Left out: as suits the nodes.",
                examples=[8896],
            ),
        ]
        | UnsetType
    ) = UNSET
    existing: (
        Annotated[
            ExistingNetwork,
            Meta(
                description="Use this network as the primary one instead of creating one. Its firewall and "
                "NAT are then its owner's business."
            ),
        ]
        | UnsetType
    ) = UNSET


class VmBlueprint(GoogleBlueprint, frozen=True, kw_only=True):
    """GPU virtual machines on Google Cloud, one or many, as a managed group with stable names."""

    kind: Annotated[Literal["vm"], Meta(description="Kind of cluster.", examples=["vm"])]
    zone: Annotated[Zone, Meta(description="Zone of the nodes; it lies in the region.")]
    nodes: Annotated[VmNodes, Meta(description="The machines of the cluster.")]
    network: Annotated[Network, Meta(description="The network of the cluster.")] = Network()
    files: Annotated[
        tuple[FileCopy, ...],
        Meta(
            description="Files and folders that are uploaded to the cluster's folder of the state bucket, "
            "where the nodes can read them.",
            examples=[[{"source": "./scripts"}]],
        ),
    ] = ()
    startup_script: (
        Annotated[Script, Meta(description="Script that runs as root on every boot of every node.")]
        | UnsetType
    ) = UNSET
    metadata: Annotated[
        dict[MetadataKey, str],
        Meta(
            description="Metadata of the nodes, as it is. No place for secrets: all on a node can read it.",
            examples=[{"key1": "val"}],
        ),
    ] = {}
