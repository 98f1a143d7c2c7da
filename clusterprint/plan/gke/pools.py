"""The plans of node pools."""

from typing import Annotated, Literal

import msgspec

from clusterprint.plan.argument import Argument
from clusterprint.plan.kubernetes import DeviceClaimPlan
from clusterprint.plan.part import PlanPart

DeviceMode = Literal["NetDevice", "RDMA"]

# Blocks that say nothing but that they are there: no pool that does without gets another one.
_ON = {True: True}
_TRANSPARENT = {
    word: f"TRANSPARENT_HUGEPAGE_ENABLED_{word.upper()}" for word in ("always", "madvise", "never")
}


class AutoscalingPlan(PlanPart, frozen=True, kw_only=True):
    """How many nodes there may be; with `per_zone` both numbers count those of each zone."""

    min: int
    max: int
    per_zone: bool
    location_policy: Literal["BALANCED", "ANY"]


class AcceleratorPlan(PlanPart, frozen=True, kw_only=True):
    """The GPUs of each node. An empty text or 0 leaves an argument out."""

    type: str
    count: int
    driver: str
    partition_size: str
    sharing_strategy: str
    max_clients: int


class TpuPlan(PlanPart, frozen=True, kw_only=True):
    """The TPU slice that a pool is: its kind, as nodes are labelled, its shape, its hosts, chips per host."""

    accelerator: str
    topology: str
    chips_per_node: int
    hosts: int


class TaintPlan(PlanPart, frozen=True, kw_only=True):
    """A taint, in the words of GKE (`NO_SCHEDULE`)."""

    key: str
    value: str
    effect: str


class InterfacePlan(PlanPart, frozen=True, kw_only=True):
    """A network interface of each node besides the first: keys of a network and of a subnet of the plan.

    `name` is what pods call the network; `network_name` and `subnet_name` are the names at Google.
    """

    name: str
    network: str
    subnet: str
    network_name: str
    subnet_name: str
    device_mode: DeviceMode


class CapacityPlan(PlanPart, frozen=True, kw_only=True):
    """How the machines are obtained. `reservation_affinity` may be empty; 0 seconds are forever."""

    spot: Annotated[bool, Argument("node_config.spot", _ON)] = False
    flex_start: Annotated[bool, Argument("node_config.flex_start", _ON)] = False
    queued: Annotated[bool, Argument("queued_provisioning.enabled", _ON)] = False
    max_run_seconds: int = 0
    reservation_affinity: Literal["", "NO_RESERVATION", "SPECIFIC_RESERVATION"] = ""
    reservation: str = ""


class PlacementPlan(PlanPart, frozen=True, kw_only=True):
    """Nodes close to each other, by no policy or by one: `policy` is the key of one of the plan.

    `existing` is the name of one that is there.
    """

    policy: str
    tpu_topology: str
    existing: str = ""


class BootDiskPlan(PlanPart, frozen=True, kw_only=True):
    """A disk image that every node gets a disk of."""

    image: str
    container_images: bool


class UpgradePlan(PlanPart, frozen=True, kw_only=True):
    """How nodes are replaced; durations are in seconds and only for BLUE_GREEN."""

    strategy: Literal["SURGE", "BLUE_GREEN"]
    max_surge: int
    max_unavailable: int
    batch_nodes: int
    batch_soak_seconds: int
    pool_soak_seconds: int


class TopologyManagerPlan(PlanPart, frozen=True, kw_only=True):
    """How what pods get is kept near each other, in the words of the kubelet."""

    policy: Annotated[str, Argument("node_config.kubelet_config.topology_manager.policy")]
    scope: Annotated[str, Argument("node_config.kubelet_config.topology_manager.scope")]


class GuardedNodePlan(PlanPart, frozen=True, kw_only=True):
    """Restrictions of every node, and of the pods on it.

    Rights come from roles; the scope must not narrow them a second time. Pods that ask who they are
    `see_own_account`, not that of their node. Bare metal is not shielded: the last two are None.
    """

    oauth_scopes: Annotated[tuple[str, ...], Argument("node_config.oauth_scopes")] = (
        "https://www.googleapis.com/auth/cloud-platform",
    )
    see_own_account: Annotated[
        bool, Argument("node_config.workload_metadata_config.mode", {True: "GKE_METADATA"})
    ] = True
    secure_boot: Annotated[
        bool | None, Argument("node_config.shielded_instance_config.enable_secure_boot")
    ] = True
    integrity_monitoring: Annotated[
        bool | None, Argument("node_config.shielded_instance_config.enable_integrity_monitoring")
    ] = True


class NodePlan(GuardedNodePlan, frozen=True, kw_only=True):
    """The configuration of each node. Empty, None and 0 leave an argument out; sizes are in GB.

    What is left out of the plan is what no node has unless its pool asks for it, the system's none of it.
    """

    machine_type: Annotated[str, Argument("node_config.machine_type")]
    image_type: Annotated[str, Argument("node_config.image_type")]
    disk_type: Annotated[str, Argument("node_config.disk_type")]
    disk_size_gb: Annotated[int, Argument("node_config.disk_size_gb")]
    gvnic: Annotated[bool, Argument("node_config.gvnic.enabled", _ON)]
    image_streaming: Annotated[bool, Argument("node_config.gcfs_config.enabled")]
    accelerator: AcceleratorPlan | None = None
    tpu: TpuPlan | None = None
    ephemeral_ssds: Annotated[
        int, Argument("node_config.ephemeral_storage_local_ssd_config.local_ssd_count")
    ] = 0
    raw_ssds: Annotated[int, Argument("node_config.local_nvme_ssd_block_config.local_ssd_count")] = 0
    boot_disks: tuple[BootDiskPlan, ...] = ()
    capacity: CapacityPlan = CapacityPlan()
    labels: Annotated[dict[str, str], Argument("node_config.labels")] = msgspec.field(default_factory=dict)
    taints: tuple[TaintPlan, ...] = ()
    tags: Annotated[tuple[str, ...], Argument("node_config.tags")] = ()
    fast_socket: Annotated[bool, Argument("node_config.fast_socket.enabled", _ON)] = False
    threads_per_core: Annotated[int, Argument("node_config.advanced_machine_features.threads_per_core")] = 0
    confidential: str = ""
    sysctls: Annotated[dict[str, str], Argument("node_config.linux_node_config.sysctls")] = msgspec.field(
        default_factory=dict
    )
    boot_disk_kms_key: Annotated[str, Argument("node_config.boot_disk_kms_key")] = ""
    boot_disk_pool: str = ""
    cpu_manager: Annotated[
        Literal["none", "static"],
        Argument("node_config.kubelet_config.cpu_manager_policy", {"static": "static"}),
    ] = "none"
    memory_manager: Annotated[
        Literal["none", "static"],
        Argument("node_config.kubelet_config.memory_manager.policy", {"static": "Static"}),
    ] = "none"
    topology_manager: TopologyManagerPlan | None = None
    pids_per_pod: Annotated[int, Argument("node_config.kubelet_config.pod_pids_limit")] = 0
    huge_pages_2m: Annotated[
        int, Argument("node_config.linux_node_config.hugepages_config.hugepage_size_2m")
    ] = 0
    huge_pages_1g: Annotated[
        int, Argument("node_config.linux_node_config.hugepages_config.hugepage_size_1g")
    ] = 0
    transparent_huge_pages: Annotated[
        Literal["always", "madvise", "never"] | None,
        Argument("node_config.linux_node_config.transparent_hugepage_enabled", _TRANSPARENT),
    ] = None


class PoolPlan(PlanPart, frozen=True, kw_only=True):
    """A node pool of GKE; a pool of several TPU slices is several of them, with the same `group`.

    `group` is the name in the blueprint, `key` the name of this one. Either `nodes_per_zone` is fixed,
    or `autoscaling` is set and `nodes_per_zone` is what the pool starts with. `max_nodes` is the most
    there can be, in all zones. `selector` are the labels that pods find its nodes by: None is the one that
    GKE puts on them. `vcpus`, `memory_gb` and `architecture` are those of a node, `fabric`
    names what its GPUs talk to those of other nodes by, or is empty. With a `network_profile` GKE makes the
    networks between accelerators, and `claim` is what pods ask for their interfaces by. Pods of jobs get the
    interface of a `second_network`.
    """

    key: str
    group: str
    zones: Annotated[tuple[str, ...], Argument("node_locations")]
    nodes_per_zone: int
    autoscaling: AutoscalingPlan | None
    max_nodes: int
    max_pods: Annotated[int, Argument("max_pods_per_node")]
    node: NodePlan
    auto_repair: Annotated[bool, Argument("management.auto_repair")]
    auto_upgrade: Annotated[bool, Argument("management.auto_upgrade")]
    upgrade: UpgradePlan | None
    create_minutes: int
    delete_minutes: int
    vcpus: int
    memory_gb: float
    architecture: Literal["amd64", "arm64"]
    interfaces: tuple[InterfacePlan, ...] = ()
    placement: PlacementPlan | None = None
    compute_class: str = ""
    fabric: str = ""
    network_profile: str = ""
    gpudirect_strategy: str = ""
    claim: DeviceClaimPlan | None = None
    second_network: bool = False
    excluded_until_end_of_support: bool = False
    drain_respects_budgets: bool = False
    selector: dict[str, str] | None = None
