"""Hardware options of node pools besides the machine type: TPU slices, disks, placement."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import Script
from clusterprint.blueprint.machine_disks import LocalSsd
from clusterprint.blueprint.machines import Placement
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Needs, Relation, when
from clusterprint.blueprint.texts import ResourceName, choice, looks_like

SysctlName = Annotated[
    str,
    looks_like("^[a-z0-9_]+(\\.[-a-z0-9_]+)+$", "the name of a kernel parameter", "net.core.somaxconn"),
]

SysctlValue = Annotated[
    str,
    looks_like("^[0-9a-z]+( [0-9]+)*$", "one or more numbers, or a word", "4096"),
]


class TpuSlice(Part, frozen=True, kw_only=True):
    """A TPU slice. Its topology and the machine type determine the number of its nodes."""

    topology: Annotated[
        str,
        looks_like(
            "^[1-9][0-9]*(x[1-9][0-9]*){1,2}$",
            "a topology: the number of chips in each dimension of the slice, such as 2x4 or 2x2x2",
            "2x2x2",
            "4x4",
        ),
        Meta(description="Number of chips in each dimension of the slice."),
    ]


class Tpu(TpuSlice, frozen=True, kw_only=True):
    """The TPU slice that a pool consists of. It determines the number of nodes."""

    slices: Annotated[
        int,
        Meta(
            ge=1,
            le=256,
            description="Number of such slices. Each becomes a node pool of its own, with this pool's "
            "name and a number as its name.",
        ),
    ] = 1


class PoolLocalSsd(LocalSsd, frozen=True, kw_only=True):
    """Fast disks in the host. Their data is lost with the machine."""

    count: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=32,
            description="Disks per machine. Left out: the disks that are bundled with the machine type.",
            examples=[1],
        ),
    ] = UNSET  # type: ignore[assignment]
    mode: Annotated[
        Literal["ephemeral", "raw"],
        choice(
            description="Use of the disks.",
            values={
                "ephemeral": "All disks combined, for container images and emptyDir volumes.",
                "raw": "Raw block devices, for workloads that manage them.",
            },
        ),
    ] = "ephemeral"


class SecondaryBootDisk(Part, frozen=True, kw_only=True):
    """An additional disk on every node, with preloaded container images or data."""

    image: Annotated[
        str,
        looks_like(
            "^(projects/[-a-z0-9.:]+/)?global/images/[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
            "a disk image: global/images/NAME or projects/PROJECT/global/images/NAME",
            "projects/my-project/global/images/my-containers",
        ),
        Meta(description="The disk image."),
    ]
    container_images: Annotated[
        bool, Meta(description="The disk holds container images, which then need no download.")
    ] = True


class HugePages(Part, frozen=True, kw_only=True):
    """Memory reserved for programs that use huge pages."""

    size_2m: Annotated[
        int, Meta(ge=0, le=2097152, description="Number of pages of 2 MiB.", examples=[1024])
    ] = 0
    size_1g: Annotated[
        int,
        Meta(ge=0, le=4096, description="Number of pages of 1 GiB.", examples=[2]),
    ] = 0


class TopologyManager(Part, frozen=True, kw_only=True):
    """How cores, memory and devices of a pod are kept near each other, by NUMA nodes of the machine."""

    policy: Annotated[
        Literal["best_effort", "restricted", "single_numa_node"],
        choice(
            description="Action on a pod whose resources cannot be aligned.",
            values={
                "best_effort": "The pod runs anyway.",
                "restricted": "The pod is rejected unless the alignment is the best possible on such a node.",
                "single_numa_node": "The pod is rejected unless all resources are on one NUMA node.",
            },
        ),
    ]
    scope: Annotated[
        Literal["container", "pod"],
        choice(
            description="Unit that is aligned.",
            values={
                "container": "Each container.",
                "pod": "All containers of a pod together.",
            },
        ),
    ] = "container"


class NodeSystem(Part, frozen=True, kw_only=True):
    """How the operating system and the kubelet of nodes are configured. A change recreates the nodes."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE328", when("topology_manager"), when("cpu_manager", "none")),
    )

    init_script: Annotated[
        Script | UnsetType,
        Meta(
            description="Script that each node runs as root when it is created, before it accepts pods. It "
            "is kept in the bucket of the state, where nodes may read it.",
            examples=[{"inline": "#!/bin/bash\nmodprobe nvme_tcp\n"}],
        ),
    ] = UNSET

    cpu_manager: Annotated[
        Literal["none", "static"],
        choice(
            description="How CPU cores are assigned to pods.",
            values={
                "none": "Shared by all pods.",
                "static": "Guaranteed pods with whole vCPUs get exclusive cores.",
            },
        ),
    ] = "none"
    memory_manager: Annotated[
        Literal["none", "static"],
        choice(
            description="How memory is assigned to pods.",
            values={
                "none": "Shared by all pods.",
                "static": "Guaranteed pods get memory and huge pages of certain NUMA nodes.",
            },
        ),
    ] = "none"
    topology_manager: Annotated[
        TopologyManager | UnsetType,
        Meta(
            description="How the resources of a pod are aligned on NUMA nodes. Left out: not aligned.",
            examples=[{"policy": "best_effort"}],
        ),
    ] = UNSET
    pids_per_pod: Annotated[
        int | UnsetType,
        Meta(
            ge=1024,
            le=4194304,
            description="Maximum number of processes and threads per pod. Left out: GKE's default.",
            examples=[65536],
        ),
    ] = UNSET
    huge_pages: Annotated[HugePages, Meta(description="Memory reserved in huge pages.")] = HugePages()
    transparent_huge_pages: Annotated[
        Literal["always", "madvise", "never"] | UnsetType,
        choice(
            description="When the kernel uses huge pages on its own. Left out: GKE's default.",
            values={
                "always": "Wherever possible.",
                "madvise": "Only where a program asks for them.",
                "never": "Never.",
            },
        ),
    ] = UNSET
    sysctls: Annotated[
        dict[SysctlName, SysctlValue],
        Meta(
            description="Kernel parameters that GKE allows. They take precedence over those that "
            "clusterprint sets on nodes with several networks.",
            examples=[{"net.core.somaxconn": "4096"}],
        ),
    ] = {}


class PoolPlacement(Placement, frozen=True, kw_only=True):
    """How close together the nodes of a pool are placed."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE175", when("existing"), when("policy", "compact", "workload")),
        Excludes("GKE175", when("max_topology_distance"), when("existing")),
    )

    policy: Annotated[
        Literal["none", "compact", "workload"] | UnsetType,
        choice(
            description="Placement policy. Left out: `workload` if the machine type requires it; `compact` "
            "for on-demand nodes with a GPU network, and for flex-start nodes of a3-ultragpu and a4 that "
            "are not queued; otherwise `none`, because reservations, queued requests and spot have their "
            "own placement. TPU slices are placed by their topology.",
            values={
                "none": "No placement policy.",
                "compact": "Nodes close together, in one zone.",
                "workload": "High-throughput workload policy: nodes in one block if possible.",
            },
        ),
    ] = UNSET
    existing: Annotated[
        ResourceName | UnsetType,
        Meta(
            description="Name of an existing placement policy in the cluster's project and region, to use "
            "instead of creating one, for example the one of a reservation. `policy` must name its type.",
            examples=["team-placement"],
        ),
    ] = UNSET
