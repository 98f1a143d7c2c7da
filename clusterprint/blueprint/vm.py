"""`kind: vm`: GPU virtual machines on Google Cloud, one or many."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.container import EXAMPLE, Container
from clusterprint.blueprint.content import FileCopy, Script
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import Image, MachineGroup, VmBootDisk, VmCapacity, VmPlacement
from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.storage import VmStorage
from clusterprint.blueprint.texts import Cidr, NodePath, ProjectId, ResourceName, Zone, looks_like
from clusterprint.blueprint.vm_bootstrap import Benchmark, Bootstrap
from clusterprint.blueprint.vm_cluster import Cooperation, Health
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.blueprint.vm_life import TimeToLive, TimeToLiveAction, Wait
from clusterprint.blueprint.vm_monitoring import VmMonitoring
from clusterprint.blueprint.vm_notebook import Notebook

MetadataKey = Annotated[
    str,
    looks_like(
        "^[-_A-Za-z0-9]{1,128}$",
        "a metadata key: at most 128 letters, digits, hyphens and underscores",
        "key1",
    ),
]

GroupName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$",
        "the name of a group of nodes: 1 to 15 lower-case letters, digits and hyphens, starting with a "
        "letter and not ending with a hyphen",
        "compute",
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


class Scratch(Part, frozen=True, kw_only=True):
    """The local SSDs of a machine, put together as one disk; it is empty again when a machine was stopped."""

    enabled: Annotated[
        bool, Meta(description="Whether to put them together. Without, they are left as blank disks.")
    ] = True
    mount: (
        Annotated[
            NodePath,
            Meta(
                description="Folder where the disk appears. Left out: /mnt/scratch; on Container-Optimized "
                "OS /mnt/disks/scratch.",
                examples=["/mnt/scratch"],
            ),
        ]
        | UnsetType
    ) = UNSET


class VmNodes(MachineGroup, frozen=True, kw_only=True):
    """The machines of the cluster."""

    capacity: Annotated[VmCapacity, Meta(description="How the machines are paid for and obtained.")] = (
        VmCapacity()
    )
    count: Annotated[
        int, Meta(ge=0, le=1000, description="How many nodes to run. 0 keeps everything but the nodes.")
    ] = 1
    boot_disk: Annotated[VmBootDisk, Meta(description="Boot disk of each machine.")] = VmBootDisk()
    placement: Annotated[VmPlacement, Meta(description="How close together the nodes are placed.")] = (
        VmPlacement()
    )
    repair: (
        Annotated[
            bool,
            Meta(
                description="Whether a node that stops or fails is made to run again, which its group then "
                "tries until it succeeds: also one that was preempted, or that somebody stopped. Left out: "
                "yes, except with flex_start, where each place is granted once.",
                examples=[False],
            ),
        ]
        | UnsetType
    ) = UNSET
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
    image_build: (
        Annotated[
            NodeImageBuild,
            Meta(
                description="Build an image on top of `image`, or of what that is when it is left out, and "
                "let the nodes boot from it. Left out: they boot from `image` itself.",
                examples=[{"script": {"inline": "#!/bin/bash\napt-get install --yes hwloc\n"}}],
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
    scratch: Annotated[
        Scratch, Meta(description="Local SSDs as one fast disk, on machines that have some.")
    ] = Scratch()
    driver: (
        Annotated[
            int,
            Meta(
                ge=500,
                le=999,
                description="Branch of the NVIDIA driver to install, on plain Ubuntu and on "
                "Container-Optimized OS, which have none. Left out: the image has its driver, as the default "
                "image does.",
                examples=[580],
            ),
        ]
        | UnsetType
    ) = UNSET
    docker: Annotated[
        bool,
        Meta(
            description="Whether to install Docker, with the NVIDIA container toolkit on machines with GPUs. "
            "Its data lies on the scratch disk where there is one."
        ),
    ] = False
    health: Annotated[Health, Meta(description="Whether nodes are examined, and what follows.")] = Health()
    gpudirect: (
        Annotated[
            bool,
            Meta(
                description="Whether NCCL goes past the processors: Google's plug-in for RoCE "
                "on A3 Ultra, A4 and A4X; on Container-Optimized OS GPUDirect-TCPX on A3 High and -TCPXO "
                "on A3 Mega. Left out: yes on these, with images of Ubuntu or Debian for RoCE, and with a "
                "`driver` on Container-Optimized OS.",
                examples=[False],
            ),
        ]
        | UnsetType
    ) = UNSET
    dcgm: Annotated[
        bool,
        Meta(
            description="Whether to install NVIDIA's Data Center GPU Manager, with which `dcgmi` examines "
            "GPUs and agents read their metrics."
        ),
    ] = False
    unlimited_memlock: Annotated[
        bool,
        Meta(
            description="Whether programs may pin memory without limit and open 1,048,576 files, as RDMA and "
            "MPI need."
        ),
    ] = True
    update: Annotated[
        Literal["opportunistic", "proactive"],
        Meta(
            description="When a change of the nodes (image, script, disk) reaches nodes that run already. "
            "A boot disk that is kept (`boot_disk.keep`) has its image and size for good.",
            extra_json_schema={
                "enumDescriptions": {
                    "opportunistic": "When a node is next recreated: no running job is ever interrupted.",
                    "proactive": "At once, one node after the other.",
                }
            },
        ),
    ] = "opportunistic"


class NodeGroup(VmNodes, frozen=True, kw_only=True):
    """One group of machines out of several in a cluster."""

    name: Annotated[
        GroupName,
        Meta(description="Name of the group, unique in the cluster; names of its nodes begin with it."),
    ]
    zone: (
        Annotated[Zone, Meta(description="Zone of these nodes, in the region. Left out: the cluster's zone.")]
        | UnsetType
    ) = UNSET
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of these nodes in turn, in place of `zone`: node 0 is in the first, node 1 in "
            "the second, and so on. For machines that need not be close to each other.",
            examples=[["us-central1-a", "us-central1-b"]],
        ),
    ] = ()
    startup_script: (
        Annotated[
            Script,
            Meta(
                description="Script that runs as root on every boot of these nodes, in place of the "
                "cluster's."
            ),
        ]
        | UnsetType
    ) = UNSET
    container: (
        Annotated[
            Container,
            Meta(
                description="Container of these nodes, in place of the cluster's.",
                examples=[{"image": EXAMPLE}],
            ),
        ]
        | UnsetType
    ) = UNSET


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
                description="Largest packet of the primary network, in bytes. Left out: as suits the nodes; "
                "with node_groups the largest, so that GPU machines can join later.",
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
    nodes: (
        Annotated[VmNodes, Meta(description="The machines of the cluster, where all are alike.")] | UnsetType
    ) = UNSET
    node_groups: Annotated[
        tuple[NodeGroup, ...],
        Meta(
            description="Groups of machines in one network, where not all are alike; in place of `nodes`.",
            examples=[
                [
                    {"name": "login", "machine_type": "n2-standard-4"},
                    {"name": "compute", "machine_type": "a2-highgpu-8g", "count": 2},
                ]
            ],
        ),
    ] = ()
    bootstrap: Annotated[
        Bootstrap,
        Meta(description="What nodes start together when they are ready.", examples=[{"mpi": {}}]),
    ] = Bootstrap()
    notebook: (
        Annotated[
            Notebook,
            Meta(
                description="JupyterLab on the nodes, which people start as themselves and reach through "
                "SSH; the output `notebook` has the command. Left out: none.",
                examples=[{"port": 8888}],
            ),
        ]
        | UnsetType
    ) = UNSET
    benchmark: Annotated[
        Benchmark,
        Meta(description="What is measured when all nodes are ready.", examples=[{"nccl": {}}]),
    ] = Benchmark()
    network: Annotated[Network, Meta(description="The network of the cluster.")] = Network()
    storage: Annotated[VmStorage, Meta(description="Data that the nodes work on.")] = VmStorage()
    cluster: Annotated[Cooperation, Meta(description="What the nodes know of each other.")] = Cooperation()
    monitoring: Annotated[VmMonitoring, Meta(description="Logs, metrics and alerts of the nodes.")] = (
        VmMonitoring()
    )
    files: Annotated[
        tuple[FileCopy, ...],
        Meta(
            description="Files and folders that are copied to each node. Changed ones reach running nodes "
            "within minutes, and replace no node.",
            examples=[[{"source": "./scripts", "destination": "/usr/cp"}]],
        ),
    ] = ()
    startup_script: (
        Annotated[
            Script,
            Meta(
                description="Script that runs as root on every boot of every node, except where a group has "
                "its own."
            ),
        ]
        | UnsetType
    ) = UNSET
    container: (
        Annotated[
            Container,
            Meta(
                description="Container that runs on every node, except where a group has its own. Brings "
                "Docker where the image has none.",
                examples=[{"image": EXAMPLE}],
            ),
        ]
        | UnsetType
    ) = UNSET
    metadata: Annotated[
        dict[MetadataKey, str],
        Meta(
            description="Metadata of the nodes, as it is. No place for secrets: all on a node can read it.",
            examples=[{"key1": "val"}],
        ),
    ] = {}
    wait: (
        Annotated[
            Wait,
            Meta(
                description="Let an apply wait for the nodes. Left out: it ends when they are there, "
                "ready or not.",
                examples=[{"until": "ready", "timeout": "30m"}],
            ),
        ]
        | UnsetType
    ) = UNSET
    time_to_live: TimeToLive | UnsetType = UNSET
    time_to_live_action: TimeToLiveAction = "delete"
