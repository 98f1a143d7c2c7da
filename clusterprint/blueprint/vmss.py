"""`kind: vmss`: GPU machines on Azure in a scale set, with a head node and no scheduler."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import (
    Admin,
    AzureBlueprint,
    HostPrefix,
    ImageId,
    ImageUrn,
    NetworkResourceName,
    Repair,
    ResourceGroupName,
    Size,
)
from clusterprint.blueprint.azure_machines import AzureCapacity, OsDisk
from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.blueprint.content import Script, TextFile
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr, Duration, LocalPath


class VmssNodes(Part, frozen=True, kw_only=True):
    """The machines of the scale set. Whatever follows from the size comes from the catalog."""

    size: Annotated[
        Size,
        Meta(
            description="VM size of each node. It determines GPUs, InfiniBand, NVMe disks and the default "
            "image."
        ),
    ]
    count: Annotated[
        int, Meta(ge=0, le=1000, description="Number of nodes. 0 keeps everything except the nodes.")
    ] = 1
    orchestration: (
        Annotated[
            Literal["uniform", "flexible"],
            Meta(
                description="Orchestration mode of the scale set. Left out: uniform for sizes with "
                "InfiniBand, flexible for others.",
                extra_json_schema={
                    "enumDescriptions": {
                        "uniform": "Identical instances in one InfiniBand partition; at most 100.",
                        "flexible": "A group of ordinary virtual machines; at most 1000.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    image: (
        Annotated[
            ImageUrn,
            Meta(description="Marketplace image. Left out: Ubuntu HPC with the driver for the size's GPUs."),
        ]
        | UnsetType
    ) = UNSET
    image_has_plan: Annotated[
        bool,
        Meta(
            description="The image is sold with a plan. Its terms must have been accepted for the "
            "subscription (`az vm image terms accept`)."
        ),
    ] = False
    image_id: (
        Annotated[ImageId, Meta(description="Custom image, instead of a marketplace image.")] | UnsetType
    ) = UNSET
    name_prefix: (
        Annotated[
            HostPrefix,
            Meta(
                description="Prefix of the nodes' host names; Azure appends six characters. Left out: "
                "`<cluster>-`."
            ),
        ]
        | UnsetType
    ) = UNSET
    os_disk: Annotated[OsDisk, Meta(description="OS disk of each node.")] = OsDisk()
    security_type: Annotated[
        Literal["standard", "trusted_launch"],
        Meta(
            description="Protection of the boot sequence.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "No protection, as required by the HPC images and their unsigned GPU "
                    "drivers. A node that Azure starts with secure boot anyway reports that, and how to "
                    "fix it.",
                    "trusted_launch": "Secure Boot and a virtual TPM, for images that support them.",
                }
            },
        ),
    ] = "standard"
    ssh_between_nodes: Annotated[
        bool,
        Meta(
            description="Let the user log in from any node to any other, as MPI needs. Each node has its "
            "own key, which works inside the cluster only."
        ),
    ] = True
    capacity: Annotated[AzureCapacity, Meta(description="How the machines are obtained and billed.")] = (
        AzureCapacity()
    )
    update: Annotated[
        Literal["opportunistic", "proactive"],
        Meta(
            description="When changes (image, size, scripts) are applied to running nodes.",
            extra_json_schema={
                "enumDescriptions": {
                    "opportunistic": "When a node is next recreated. Running jobs are never interrupted.",
                    "proactive": "Immediately: a uniform scale set is updated node by node.",
                }
            },
        ),
    ] = "opportunistic"
    proximity_placement: Annotated[
        bool,
        Meta(
            description="Place the nodes in one data center with a proximity placement group. Not needed "
            "for machines with InfiniBand in a uniform scale set, which are close together anyway."
        ),
    ] = False
    zone: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=3,
                description="Availability zone of nodes and head. Left out: Azure decides.",
                examples=[1],
            ),
        ]
        | UnsetType
    ) = UNSET


class CloudInitFile(TextFile, frozen=True, kw_only=True):
    """A cloud-init file (`#cloud-config`), inline or in a file: exactly one of the two."""

    noun = "cloud-init file"

    file: (
        Annotated[
            LocalPath,
            Meta(description="File beside the blueprint that holds it.", examples=["./cloud-init.yaml"]),
        ]
        | UnsetType
    ) = UNSET
    inline: (
        Annotated[
            str,
            Meta(
                description="The file itself.",
                min_length=1,
                examples=["#cloud-config\npackages: [htop]\n"],
            ),
        ]
        | UnsetType
    ) = UNSET


class HeadDisk(OsDisk, frozen=True, kw_only=True):
    """OS disk of the head node."""

    size_gb: Annotated[int, Meta(ge=30, le=2048, description="Size in GB.")] = 128


class HeadNode(Part, frozen=True, kw_only=True):
    """The machine that users log in to. It reaches every node by name."""

    size: (
        Annotated[
            Size,
            Meta(
                description="VM size. Left out: Standard_D4s_v5, which has no GPUs; of a head that runs "
                "jobs, the size of the nodes."
            ),
        ]
        | UnsetType
    ) = UNSET
    in_scale_set: Annotated[
        bool,
        Meta(description="Make the head node a member of the (flexible) scale set, where it also runs jobs."),
    ] = False
    runs_jobs: Annotated[
        bool,
        Meta(
            description="Let the head run jobs as well, outside of the scale set: it is set up and "
            "checked like a node, and is listed in the host files. With `nodes.count: 0` the cluster is "
            "a single machine. A head with `in_scale_set` always runs jobs."
        ),
    ] = False
    image: (
        Annotated[
            ImageUrn,
            Meta(
                description="Marketplace image. Left out: Ubuntu 24.04; of a head that runs jobs, the "
                "image of the nodes."
            ),
        ]
        | UnsetType
    ) = UNSET
    os_disk: Annotated[HeadDisk, Meta(description="OS disk of the head node.")] = HeadDisk()
    public_ip: Annotated[
        bool,
        Meta(
            description="Give the head node a static public IP address. With false, users connect through "
            "Bastion or from inside the network."
        ),
    ] = True
    ssh_source_ranges: Annotated[
        tuple[Cidr, ...],
        Meta(
            description="Address ranges outside the network that may connect by SSH.",
            examples=[["203.0.113.0/24"]],
        ),
    ] = ()
    startup_script: (
        Annotated[
            Script, Meta(description="Script that runs as root, once, when the head node is provisioned.")
        ]
        | UnsetType
    ) = UNSET
    cloud_init: (
        Annotated[
            CloudInitFile,
            Meta(
                description="A cloud-init file of your own for the head node: its `users`, `write_files`, "
                "`packages` and `bootcmd` are merged with those of clusterprint."
            ),
        ]
        | UnsetType
    ) = UNSET


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

    virtual_network: Annotated[NetworkResourceName, Meta(description="Name of the virtual network.")]
    subnet: Annotated[
        NetworkResourceName, Meta(description="Name of a subnet of this network.", examples=["gpus"])
    ]
    cidr: Annotated[
        Cidr, Meta(description="Address range of this subnet, to check that it has room for all machines.")
    ]
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
    inbound_nat: (
        Annotated[
            InboundNat,
            Meta(
                description="Make each node reachable by SSH on its own public port, from "
                "`head_node.ssh_source_ranges`. Left out: nodes are reached through the head node."
            ),
        ]
        | UnsetType
    ) = UNSET
    existing: (
        Annotated[
            ExistingSubnet,
            Meta(
                description="Existing subnet to use instead of a new network. Its owner manages its "
                "internet access."
            ),
        ]
        | UnsetType
    ) = UNSET


class HealthChecks(Part, frozen=True, kw_only=True):
    """Hardware tests of each node: Azure node health checks, and DCGM on NVIDIA GPUs."""

    at_provisioning: Annotated[
        bool, Meta(description="Run the health checks when a node is provisioned.")
    ] = True
    dcgm_level: Annotated[
        int,
        Meta(
            ge=1,
            le=4,
            description="Level of the DCGM diagnostics: level 1 takes seconds, level 4 more than an hour.",
        ),
    ] = 2
    repair: (
        Annotated[
            Repair,
            Meta(
                description="Let Azure repair nodes that fail the health checks. Left out: failures are "
                "only reported."
            ),
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
            description="The machine that users log in to. It reaches every node by name.",
            examples=[{"ssh_source_ranges": ["203.0.113.0/24"]}],
        ),
    ] = HeadNode()
    network: Annotated[VmssNetwork, Meta(description="The network of the cluster.")] = VmssNetwork()
    health_checks: Annotated[HealthChecks, Meta(description="Hardware tests of each node.")] = HealthChecks()
    storage: Annotated[AzureStorage, Meta(description="Storage for the machines' data.")] = AzureStorage()
    startup_script: (
        Annotated[Script, Meta(description="Script that runs as root, once, when a node is provisioned.")]
        | UnsetType
    ) = UNSET
    cloud_init: (
        Annotated[
            CloudInitFile,
            Meta(
                description="A cloud-init file of your own for the nodes: its `users`, `write_files`, "
                "`packages` and `bootcmd` are merged with those of clusterprint."
            ),
        ]
        | UnsetType
    ) = UNSET
    time_to_live: (
        Annotated[
            Duration,
            Meta(
                description="Lifetime of the cluster, after which its machines are deallocated. Left "
                "out: unlimited.",
                examples=["7d"],
            ),
        ]
        | UnsetType
    ) = UNSET
