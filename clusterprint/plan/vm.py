"""The plan of `kind: vm`."""

from typing import Annotated, ClassVar, Literal

from clusterprint.plan.argument import Argument
from clusterprint.plan.google import (
    BucketPlan,
    CustomRolePlan,
    ImageRepositoryPlan,
    KeyGrantPlan,
    NatPlan,
    NetworkPlan,
    OutputsPlan,
    PolicyPlan,
    ServiceAccountPlan,
    UploadPlan,
)
from clusterprint.plan.kept_data import KeptDataPlan
from clusterprint.plan.monitoring import MonitoringPlan
from clusterprint.plan.part import PlanPart, StackPlan
from clusterprint.plan.slurm import SlurmPlan
from clusterprint.plan.state import StatePlan
from clusterprint.plan.vm_end import EndPlan
from clusterprint.plan.vm_image import NodeImagePlan
from clusterprint.plan.vm_nodes import IdlePlan, RayPlan
from clusterprint.plan.volumes import VolumesPlan

NicType = Literal["GVNIC", "MRDMA", "IRDMA"]
ProvisioningModel = Literal["STANDARD", "SPOT", "FLEX_START", "RESERVATION_BOUND"]
TerminationAction = Literal["", "STOP", "DELETE"]
ReservationAffinity = Literal["", "NO_RESERVATION", "SPECIFIC_RESERVATION"]
UpdateType = Literal["OPPORTUNISTIC", "PROACTIVE"]


class InterfacePlan(PlanPart, frozen=True, kw_only=True):
    """A network interface.

    `subnet` is the key of a subnet of this plan; with an existing subnet it is empty and
    `existing_subnet` is its full path.
    """

    subnet: str
    existing_subnet: str
    nic_type: NicType
    public_ip: bool


class SchedulingPlan(PlanPart, frozen=True, kw_only=True):
    """How the machines are obtained, kept and taken down, in the words of Compute Engine.

    An empty text or 0 leaves an argument out; `max_run_seconds` is in seconds.
    """

    provisioning_model: Annotated[ProvisioningModel, Argument("scheduling.provisioning_model")]
    preemptible: Annotated[bool, Argument("scheduling.preemptible")]
    automatic_restart: Annotated[bool, Argument("scheduling.automatic_restart")]
    on_host_maintenance: Annotated[
        Literal["TERMINATE", "MIGRATE"], Argument("scheduling.on_host_maintenance")
    ]
    termination_action: Annotated[TerminationAction, Argument("scheduling.instance_termination_action")]
    max_run_seconds: Annotated[int, Argument("scheduling.max_run_duration.seconds")]
    reservation_affinity: Annotated[ReservationAffinity, Argument("reservation_affinity.type")]
    reservation: str


class ShieldedPlan(PlanPart, frozen=True, kw_only=True):
    """Protection of the boot sequence."""

    secure_boot: Annotated[bool, Argument("shielded_instance_config.enable_secure_boot")]
    vtpm: Annotated[bool, Argument("shielded_instance_config.enable_vtpm")]
    integrity_monitoring: Annotated[bool, Argument("shielded_instance_config.enable_integrity_monitoring")]


class DataDiskPlan(PlanPart, frozen=True, kw_only=True):
    """A disk that each node has besides: one of its own, or a part in the shared disk `volume`.

    An existing shared disk is `source`, by its name. `device` is what the disk is called on the machine; 0
    leaves its performance to its type. It is made in the storage pool `pool`, a full path, or stands alone.
    """

    device: str
    volume: str
    source: str
    type: str
    size_gb: int
    iops: int
    throughput_mbps: int
    pool: str = ""


class TemplatePlan(PlanPart, frozen=True, kw_only=True):
    """The configuration of each node.

    `boot_disk_device` is what the boot disk is called on the machine. Sizes are in GB. `local_ssds` counts
    only the disks that have to be asked for: machine types that bundle local SSDs always come with theirs.
    `confidential` names how memory is encrypted, which may take processors from `min_cpu_platform` on; both
    are empty where nothing is asked for.
    `threads_per_core` 0 leaves it to the machine type. Where the file systems `mounted` are, and what
    buckets among them are called, is told by the names of their volumes in the metadata `mounted_key`, one a
    line with a tab between.
    """

    name_prefix: Annotated[str, Argument("name_prefix")]
    machine_type: str
    image: str
    boot_disk_device: str
    boot_disk_type: str
    boot_disk_size_gb: int
    local_ssds: int
    local_ssd_size_gb: int
    accelerator_type: str
    accelerator_count: int
    interfaces: tuple[InterfacePlan, ...]
    scheduling: SchedulingPlan
    threads_per_core: Annotated[int, Argument("advanced_machine_features.threads_per_core")] = 0
    confidential: Annotated[str, Argument("confidential_instance_config.confidential_instance_type")]
    min_cpu_platform: Annotated[str, Argument("min_cpu_platform")]
    shielded: ShieldedPlan | None
    metadata: dict[str, str]
    data_disks: tuple[DataDiskPlan, ...]
    mounted: tuple[str, ...]
    mounted_key: str
    boot_disk_pool: str = ""
    kms_key: str = ""


class HealthCheckPlan(PlanPart, frozen=True, kw_only=True):
    """How Compute Engine finds out that a node has to be recreated: it asks `path` at `port`.

    A node is left alone for the first `initial_delay_seconds` of its life, and counts as broken after
    `unhealthy_threshold` bad answers, or none, in a row.
    """

    name: str
    port: int
    path: str
    interval_seconds: int
    timeout_seconds: int
    unhealthy_threshold: int
    initial_delay_seconds: int


class HealthFirewallPlan(PlanPart, frozen=True, kw_only=True):
    """The firewall rule of the network `network` that lets health checks in, at one port."""

    name: str
    network: str
    ranges: tuple[str, ...]
    port: int


class ArrivalPlan(PlanPart, frozen=True, kw_only=True):
    """How it is told whether the nodes that were asked for are there.

    `missing` is what to say where they are not. Terraform waits by running `script`, which lies beside the
    stack, with `environment`; both are empty where nobody waits.
    """

    missing: str
    script: str
    environment: dict[str, str]


class GroupPartPlan(PlanPart, frozen=True, kw_only=True):
    """One managed instance group and the names of its nodes; `key` is empty where there is no other.

    `arrival` is None where there are no nodes to come. At most a `batch` of nodes is updated at a time.
    """

    key: str
    name: str
    zone: str
    nodes: tuple[str, ...]
    arrival: ArrivalPlan | None
    batch: int = 1


class GroupPlan(PlanPart, frozen=True, kw_only=True):
    """The managed instance groups of nodes that are alike: mostly one.

    Either each node is created and kept by name, or (flex-start) `queued` nodes are requested at once and
    named by Compute Engine. `kept_disks` are the devices that a node keeps when it is recreated under its
    name, `keep_public_ip` lets it keep its address; `repair` makes the group do that with nodes that stop or
    fail, and with a `health_check` also with those that answer badly. After `wait_minutes` a change has
    failed. `idle` is when nobody uses a node any more.
    """

    base_instance_name: str
    parts: tuple[GroupPartPlan, ...]
    queued: int
    resize_request: str
    update_type: UpdateType
    kept_disks: tuple[str, ...]
    repair: bool
    wait_minutes: int
    health_check: HealthCheckPlan | None
    keep_public_ip: bool = False
    idle: IdlePlan | None = None

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of all nodes, in the order of their numbers; none of those that are queued for."""
        return tuple(sorted((node for part in self.parts for node in part.nodes), key=_number))

    @property
    def zones(self) -> dict[str, str]:
        """Where each node is, in the order of `nodes`."""
        found = {node: part.zone for part in self.parts for node in part.nodes}
        return {node: found[node] for node in self.nodes}


def _number(node: str) -> int:
    return int(node.rpartition("-")[2])


class NodeGroupPlan(PlanPart, frozen=True, kw_only=True):
    """A group of machines that are alike; `key` is empty where a cluster has no other.

    `policy` is a policy to create, `existing_policy` the path of one that is there; either way `placement`
    says who carries it: each node (compact), or their group (workload).
    """

    key: str
    zone: str
    labels: dict[str, str]
    placement: Literal["none", "compact", "workload"]
    policy: PolicyPlan | None
    existing_policy: str
    template: TemplatePlan
    group: GroupPlan


class RunPlan(PlanPart, frozen=True, kw_only=True):
    """A run of a program over several nodes, and where its log and its status are found afterwards.

    `key` is the program's name, `name` that of this very run.
    """

    key: str
    name: str
    bucket: str
    results: str


class WaitPlan(PlanPart, frozen=True, kw_only=True):
    """An apply waits for nodes by running `script`, which lies beside the stack, with `environment`."""

    script: str
    environment: dict[str, str]


class VmPlan(StackPlan, frozen=True, kw_only=True):
    """A cluster of virtual machines on Google Cloud: one stack, called `name`."""

    module: ClassVar[str] = "vm.stack"

    google_provider: str
    project: str
    region: str
    zone: str
    labels: dict[str, str]
    state: StatePlan
    services: tuple[str, ...]
    networks: tuple[NetworkPlan, ...]
    nat: NatPlan | None
    service_account: ServiceAccountPlan
    role: CustomRolePlan | None
    health_firewall: HealthFirewallPlan | None
    buckets: tuple[BucketPlan, ...]
    volumes: VolumesPlan | None
    kept_data: KeptDataPlan | None
    image_repositories: tuple[ImageRepositoryPlan, ...]
    upload: UploadPlan | None
    runs: tuple[RunPlan, ...]
    images: tuple[NodeImagePlan, ...] = ()
    groups: tuple[NodeGroupPlan, ...]
    scripts: dict[str, str]
    outputs: OutputsPlan
    end: EndPlan | None = None
    ray: RayPlan | None = None
    slurm: SlurmPlan | None = None
    wait: WaitPlan | None = None
    monitoring: MonitoringPlan | None = None
    key_grants: tuple[KeyGrantPlan, ...] = ()
