"""Node pools: groups of identical nodes in a GKE cluster."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.gpu import GpuSettings
from clusterprint.blueprint.gke.hardware import PoolLocalSsd, PoolPlacement, SecondaryBootDisk, Tpu
from clusterprint.blueprint.gke.texts import NodeLabelKey, NodeLabelValue, PoolName
from clusterprint.blueprint.gke.upgrades import Upgrades
from clusterprint.blueprint.machines import Capacity, MachineGroup, MachineType
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, ResourceName, Zone


class Autoscaling(Part, frozen=True, kw_only=True):
    """How many nodes there may be; the cluster decides between the two."""

    min: Annotated[int, Meta(ge=0, le=15000, description="Least number of nodes.")] = 0
    max: Annotated[int, Meta(ge=1, le=15000, description="Greatest number of nodes.", examples=[10])]
    per_zone: Annotated[
        bool, Meta(description="Whether both numbers count the nodes of each zone, not of all together.")
    ] = False
    location_policy: (
        Annotated[
            Literal["balanced", "any"],
            Meta(
                description="How nodes are spread over several zones. Left out: `any` for flex_start and "
                "spot, else `balanced`.",
                extra_json_schema={
                    "enumDescriptions": {
                        "balanced": "The same number in each zone, as far as possible.",
                        "any": "Where there is capacity, unused reservations first.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET


class SystemPool(Part, frozen=True, kw_only=True):
    """The small pool for what is no workload: DNS, metrics, operators, queues."""

    machine_type: Annotated[
        MachineType, Meta(description="Machine type of its nodes, without GPUs.", examples=["e2-standard-4"])
    ] = "e2-standard-4"
    autoscaling: Annotated[Autoscaling, Meta(description="How many nodes it has.")] = Autoscaling(
        min=1, max=3
    )
    disk_size_gb: Annotated[int, Meta(ge=20, le=65536, description="Size of the boot disks in GB.")] = 100


class PoolCapacity(Capacity, frozen=True, kw_only=True):
    """How the machines of a pool are paid for and obtained."""

    queued: Annotated[
        bool,
        Meta(
            description="With flex_start, whether nodes come only for queued requests (ProvisioningRequest, "
            "for example by Kueue), all that a job needs at once."
        ),
    ] = False


class Taint(Part, frozen=True, kw_only=True):
    """A mark that keeps pods away that do not tolerate it."""

    key: Annotated[NodeLabelKey, Meta(description="Key of the taint.", examples=["dedicated"])]
    value: Annotated[NodeLabelValue, Meta(description="Value of the taint.", examples=["training"])]
    effect: Annotated[
        Literal["no_schedule", "prefer_no_schedule", "no_execute"],
        Meta(
            description="What happens to pods that do not tolerate it.",
            extra_json_schema={
                "enumDescriptions": {
                    "no_schedule": "They are not put here.",
                    "prefer_no_schedule": "They are put here only if nothing else is left.",
                    "no_execute": "They are not put here, and those that run here go.",
                }
            },
        ),
    ] = "no_schedule"


class NodePool(MachineGroup, frozen=True, kw_only=True):
    """A group of identical nodes. The catalog supplies whatever follows from the machine type."""

    name: Annotated[PoolName, Meta(description="Name of the pool, unique in the cluster.")]
    capacity: Annotated[PoolCapacity, Meta(description="How the machines are paid for and obtained.")] = (
        PoolCapacity()
    )
    count: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=15000,
                description="How many nodes to run, in all zones together. Left out, without autoscaling: "
                "1, or as many as the TPU slice needs.",
                examples=[3],
            ),
        ]
        | UnsetType
    ) = UNSET
    autoscaling: (
        Annotated[Autoscaling, Meta(description="Let the cluster decide how many nodes run.")] | UnsetType
    ) = UNSET
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the nodes. Left out: the cluster's `zone`, or without one zone b of the "
            "region.",
            examples=[["us-central1-a"]],
        ),
    ] = ()
    gpu: Annotated[GpuSettings, Meta(description="How GPUs are set up and shared.")] = GpuSettings()
    tpu: (
        Annotated[Tpu, Meta(description="The TPU slice that the pool is; goes with TPU machine types.")]
        | UnsetType
    ) = UNSET
    local_ssd: (
        Annotated[
            PoolLocalSsd,
            Meta(
                description="Local SSDs: how many, where the machine type leaves the choice, and what for. "
                "Types that bundle them use all of theirs as ephemeral storage unless told otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    secondary_boot_disks: Annotated[
        tuple[SecondaryBootDisk, ...],
        Meta(description="Disks with container images or data that every node starts with."),
    ] = ()
    placement: Annotated[PoolPlacement, Meta(description="How close to each other the nodes are put.")] = (
        PoolPlacement()
    )
    gpu_networks: Annotated[
        bool,
        Meta(
            description="Whether nodes are connected to the networks that their machine type has for "
            "traffic between GPUs."
        ),
    ] = True
    fast_socket: Annotated[
        bool, Meta(description="NCCL Fast Socket, for GPUs of several nodes without networks of their own.")
    ] = False
    max_pods_per_node: (
        Annotated[
            int,
            Meta(
                ge=8,
                le=110,
                description="Pods that a node has addresses for. Left out: 15 on nodes of a TPU slice, 32 on "
                "nodes with GPUs, else 64.",
                examples=[32],
            ),
        ]
        | UnsetType
    ) = UNSET
    node_labels: Annotated[
        dict[NodeLabelKey, NodeLabelValue],
        Meta(description="Kubernetes labels of the nodes, for selectors.", examples=[{"team": "research"}]),
    ] = {}
    taints: Annotated[
        tuple[Taint, ...],
        Meta(
            description="Marks that keep pods away that do not tolerate them. Those for GPUs, TPUs and "
            "compute classes are put by themselves."
        ),
    ] = ()
    tags: Annotated[
        tuple[ResourceName, ...],
        Meta(description="Network tags of the nodes, for firewall rules.", examples=[["training"]]),
    ] = ()
    image_type: Annotated[
        Literal["cos_containerd", "ubuntu_containerd"],
        Meta(
            description="Operating system of the nodes.",
            extra_json_schema={
                "enumDescriptions": {
                    "cos_containerd": "Container-Optimized OS; what GPU networks, gVNIC and image streaming "
                    "want.",
                    "ubuntu_containerd": "Ubuntu.",
                }
            },
        ),
    ] = "cos_containerd"
    secure_boot: Annotated[bool, Meta(description="Only load signed boot components and kernel modules.")] = (
        True
    )
    host_maintenance: (
        Annotated[
            Literal["periodic", "as_needed"],
            Meta(
                description="When the hosts below the nodes are maintained. Left out: as the machine type "
                "has it.",
                extra_json_schema={
                    "enumDescriptions": {
                        "periodic": "About once a month, announced.",
                        "as_needed": "Whenever something needs it.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    auto_repair: (
        Annotated[
            bool,
            Meta(
                description="Whether nodes that fail are made anew. Left out: yes, but not with flex_start, "
                "where a place is granted once.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    upgrades: Annotated[Upgrades, Meta(description="How nodes are brought to a new version.")] = Upgrades()
    create_timeout: (
        Annotated[
            Duration,
            Meta(
                description="How long Terraform waits for the pool's first nodes. Left out: 2h for "
                "accelerators, which are scarce, else 45m.",
                examples=["6h"],
            ),
        ]
        | UnsetType
    ) = UNSET
