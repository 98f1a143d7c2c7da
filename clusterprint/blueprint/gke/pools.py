"""Node pools: groups of identical nodes in a GKE cluster."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.gpu import GpuSettings
from clusterprint.blueprint.gke.hardware import (
    NodeSystem,
    PoolLocalSsd,
    PoolPlacement,
    SecondaryBootDisk,
    Tpu,
)
from clusterprint.blueprint.gke.pool_relations import POOL_RELATIONS
from clusterprint.blueprint.gke.taints import Taint
from clusterprint.blueprint.gke.texts import NodeLabelKey, NodeLabelValue, PoolName
from clusterprint.blueprint.gke.upgrades import NodeDrain, PoolUpdate, Upgrades
from clusterprint.blueprint.machines import (
    FALLBACKS,
    NOT_RESERVED,
    ONE_TYPE,
    PATIENCE,
    Capacity,
    FallbackMachine,
    FallbackZone,
    MachineGroup,
    MachineType,
    MachineTypes,
    Patience,
)
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Forbids,
    InRegion,
    Relation,
    Unique,
    Within,
    case,
    only,
    when,
)
from clusterprint.blueprint.texts import Duration, KmsKey, ResourceName, Zone, choice


class Autoscaling(Part, frozen=True, kw_only=True):
    """Minimum and maximum number of nodes; the cluster autoscaler chooses a number between them."""

    relations: ClassVar[tuple[Relation, ...]] = (Within("GKE002", "min", most="max"),)

    min: Annotated[int, Meta(ge=0, le=15000, description="Minimum number of nodes.")] = 0
    max: Annotated[int, Meta(ge=1, le=15000, description="Maximum number of nodes.", examples=[10])]
    per_zone: Annotated[
        bool, Meta(description="Count nodes per zone. With false, `min` and `max` are totals over all zones.")
    ] = False
    location_policy: Annotated[
        Literal["balanced", "any"] | UnsetType,
        choice(
            description="How nodes are distributed over several zones. Left out: `any` for flex_start and "
            "spot, otherwise `balanced`.",
            values={
                "balanced": "The same number in each zone, if possible.",
                "any": "Wherever capacity is available, unused reservations first.",
            },
        ),
    ] = UNSET


class NodeHealth(Part, frozen=True, kw_only=True):
    """The end of broken nodes, and the nodes that stand by for them."""

    on_fault: Annotated[
        Literal["replace", "report"],
        choice(
            description="The end of a node that is not ready for about ten minutes, or whose boot disk is "
            "full for about half an hour.",
            values={
                "replace": "GKE drains and recreates it.",
                "report": "It stays, to be inspected, and `status` and alerts report it. Its pods end when "
                "it is deleted.",
            },
        ),
    ] = "replace"
    spares: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="Nodes in addition to `count` that queues leave free. When a node of a queued job "
            "breaks, Kueue gives the job one of them. Requires the pool in `kueue.topology_pools`.",
        ),
    ] = 0


class SystemPool(Part, frozen=True, kw_only=True):
    """Small node pool for system components: DNS, metrics, operators, queues."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE055", when("@accelerated_type")),
        InRegion("GKE172", "zones"),
        Unique("GKE172", "zones", "zone {item} is listed twice", key=(), help="remove one of them"),
        Within(
            "GKE173",
            "autoscaling.max",
            least="@number_of_zones",
            given=(when("autoscaling.per_zone", False),),
        ),
    )

    machine_type: Annotated[
        MachineType,
        Meta(description="Machine type of its nodes; must not have GPUs.", examples=["e2-standard-4"]),
    ] = "e2-standard-4"
    autoscaling: Annotated[Autoscaling, Meta(description="Minimum and maximum number of nodes.")] = (
        Autoscaling(min=1, max=3)
    )
    disk_size_gb: Annotated[int, Meta(ge=20, le=65536, description="Size of the boot disks, in GB.")] = 100
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the nodes. With several, system components survive the loss of one. Left "
            "out: the cluster's `zone`, or zone b of the region if there is none.",
            examples=[["us-central1-a", "us-central1-b"]],
        ),
    ] = ()


class PoolModel(Capacity, frozen=True, kw_only=True):
    """How the machines of a pool are paid for and obtained."""

    relations: ClassVar[tuple[Relation, ...]] = (
        only("GKE008", "capacity", "queued", case(model="flex_start"), plural="capacity"),
    )

    queued: Annotated[
        bool,
        Meta(
            description="With flex_start, create nodes only for queued requests (ProvisioningRequest, for "
            "example from Kueue): all nodes of a job at once."
        ),
    ] = False


class PoolFallback(PoolModel, frozen=True, kw_only=True):
    """Another way to obtain the nodes, if there is no capacity for the one before it."""

    relations: ClassVar[tuple[Relation, ...]] = (ONE_TYPE, NOT_RESERVED)

    zone: FallbackZone = UNSET
    machine_type: FallbackMachine = UNSET
    machine_types: MachineTypes = ()


class PoolCapacity(PoolModel, frozen=True, kw_only=True):
    """How the nodes of a pool are obtained, and in which other ways if there is no capacity for that."""

    relations: ClassVar[tuple[Relation, ...]] = (PATIENCE, NOT_RESERVED)

    machine_types: MachineTypes = ()

    fallbacks: Annotated[
        tuple[PoolFallback, ...],
        Meta(max_length=8, description=FALLBACKS, examples=[[{"model": "spot"}]]),
    ] = ()
    patience: Patience = UNSET


class NodePool(MachineGroup, frozen=True, kw_only=True):
    """A group of identical nodes. Whatever follows from the machine type comes from the catalog."""

    relations: ClassVar[tuple[Relation, ...]] = POOL_RELATIONS

    name: Annotated[PoolName, Meta(description="Name of the pool, unique in the cluster.")]
    capacity: Annotated[PoolCapacity, Meta(description="How the machines are obtained and billed.")] = (
        PoolCapacity()
    )
    count: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=15000,
            description="Number of nodes, over all zones. Left out, without autoscaling: 1, or as many as "
            "the TPU slice needs.",
            examples=[3],
        ),
    ] = UNSET
    autoscaling: Annotated[
        Autoscaling | UnsetType, Meta(description="Let the cluster autoscaler choose the number of nodes.")
    ] = UNSET
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the nodes. Left out: the cluster's `zone`, or zone b of the region if "
            "there is none.",
            examples=[["us-central1-a"]],
        ),
    ] = ()
    gpu: Annotated[GpuSettings, Meta(description="How GPUs are configured and shared.")] = GpuSettings()
    tpu: Annotated[
        Tpu | UnsetType,
        Meta(description="The TPU slice that the pool consists of. Only for TPU machine types."),
    ] = UNSET
    local_ssd: Annotated[
        PoolLocalSsd | UnsetType,
        Meta(
            description="Local SSDs: their number, where the machine type allows a choice, and their use. "
            "Bundled local SSDs are used as ephemeral storage by default."
        ),
    ] = UNSET
    secondary_boot_disks: Annotated[
        tuple[SecondaryBootDisk, ...],
        Meta(
            description="An additional disk on every node, with preloaded container images or data. Only "
            "one: the Terraform provider sends no others."
        ),
    ] = ()
    placement: Annotated[PoolPlacement, Meta(description="How close together the nodes are placed.")] = (
        PoolPlacement()
    )
    gpu_networks: Annotated[
        bool,
        Meta(description="Connect nodes to the GPU or RDMA networks of their machine type."),
    ] = True
    second_network: Annotated[
        bool,
        Meta(
            description="Connect nodes to a second VPC network, and give its interface to pods of jobs, "
            "which then send over both. Each node has one such interface, for one pod. For machines without "
            "networks of their own.",
            examples=[True],
        ),
    ] = False
    accelerator_network_profile: Annotated[
        Literal["auto"] | UnsetType,
        choice(
            description="Let GKE manage the networks of GPUs and TPUs, whose interfaces pods claim as "
            "devices (DRANET). Left out: clusterprint creates the networks of GPUs, and TPUs use the "
            "cluster's network only; for a4x-maxgpu-4g-metal always `auto`.",
            values={
                "auto": "GKE creates the networks and connects the nodes. Pods claim the interfaces.",
            },
        ),
    ] = UNSET
    gpudirect_strategy: Annotated[
        Literal["rdma"] | UnsetType,
        choice(
            description="How GPUs of different nodes communicate, in networks that GKE manages. Left out: "
            "GKE decides.",
            values={
                "rdma": "GPUDirect RDMA, on a3-ultragpu and a4 machines.",
            },
        ),
    ] = UNSET
    fast_socket: Annotated[
        bool,
        Meta(
            description="NCCL Fast Socket, for multi-node GPU workloads on machine types without GPU "
            "networks."
        ),
    ] = False
    max_pods_per_node: Annotated[
        int | UnsetType,
        Meta(
            ge=8,
            le=110,
            description="Maximum number of pods per node, which determines the addresses that each node "
            "reserves. Left out: 15 on nodes of a multi-host TPU slice, 32 on other nodes with "
            "accelerators, otherwise 64.",
            examples=[32],
        ),
    ] = UNSET
    node_labels: Annotated[
        dict[NodeLabelKey, NodeLabelValue],
        Meta(
            description="Kubernetes labels of the nodes, for node selectors.", examples=[{"team": "research"}]
        ),
    ] = {}
    taints: Annotated[
        tuple[Taint, ...],
        Meta(
            description="Kubernetes taints of the nodes. Taints for GPUs, TPUs and compute classes are "
            "added automatically."
        ),
    ] = ()
    tags: Annotated[
        tuple[ResourceName, ...],
        Meta(description="Network tags of the nodes, for firewall rules.", examples=[["training"]]),
    ] = ()
    image_type: Annotated[
        Literal["cos_containerd", "ubuntu_containerd"],
        choice(
            description="Operating system of the nodes.",
            values={
                "cos_containerd": "Container-Optimized OS: required for GPU networks, gVNIC and image "
                "streaming.",
                "ubuntu_containerd": "Ubuntu.",
            },
        ),
    ] = "cos_containerd"
    secure_boot: Annotated[bool, Meta(description="Load only signed boot components and kernel modules.")] = (
        True
    )
    host_maintenance: Annotated[
        Literal["periodic", "as_needed"] | UnsetType,
        choice(
            description="When the hosts of the nodes are maintained. No supported version of the Terraform "
            "provider sends it, so it is refused. Left out: the machine type's default.",
            values={
                "periodic": "About once a month, with notice.",
                "as_needed": "Whenever maintenance is needed.",
            },
        ),
    ] = UNSET
    boot_disk_kms_key: Annotated[
        KmsKey | UnsetType,
        Meta(
            description="Cloud KMS key that boot disks are encrypted with. The Compute Engine service agent "
            "of the project must be allowed to use it (`cluster.grant_kms_keys`). Left out: Google's keys."
        ),
    ] = UNSET
    system: Annotated[
        NodeSystem, Meta(description="Configuration of the nodes' operating system and kubelet.")
    ] = NodeSystem()
    auto_repair: Annotated[
        bool | UnsetType,
        Meta(
            description="Recreate nodes that fail. Left out: true, except for flex_start, where capacity is "
            "granted only once.",
            examples=[True],
        ),
    ] = UNSET
    health: Annotated[
        NodeHealth | UnsetType,
        Meta(
            description="Broken nodes, and spare ones. Alternative to `auto_repair`.",
            examples=[{"on_fault": "report"}],
        ),
    ] = UNSET
    upgrades: Annotated[Upgrades, Meta(description="How nodes are upgraded.")] = Upgrades()
    update: Annotated[
        PoolUpdate,
        Meta(
            description="How the pool gets other machines, disks, images or drivers.",
            examples=[{"strategy": "roll"}],
        ),
    ] = PoolUpdate()
    node_drain: Annotated[NodeDrain, Meta(description="How nodes are drained when the pool is deleted.")] = (
        NodeDrain()
    )
    create_timeout: Annotated[
        Duration | UnsetType,
        Meta(
            description="Timeout for the creation of the pool in Terraform. Left out: 2h for accelerators, "
            "which are scarce, otherwise 45m.",
            examples=["6h"],
        ),
    ] = UNSET
