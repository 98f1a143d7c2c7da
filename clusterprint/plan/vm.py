"""The plan of `kind: vm`."""

from typing import Literal

from clusterprint.plan.google import (
    BucketPlan,
    NatPlan,
    NetworkPlan,
    OutputsPlan,
    PolicyPlan,
    ServiceAccountPlan,
    UploadPlan,
)
from clusterprint.plan.slice import Slice, StackPlan
from clusterprint.plan.state import StatePlan
from clusterprint.plan.vm_end import EndPlan
from clusterprint.plan.vm_nodes import RayPlan

NicType = Literal["GVNIC", "MRDMA"]
ProvisioningModel = Literal["STANDARD", "SPOT", "FLEX_START", "RESERVATION_BOUND"]
TerminationAction = Literal["", "STOP", "DELETE"]
ReservationAffinity = Literal["", "NO_RESERVATION", "SPECIFIC_RESERVATION"]
UpdateType = Literal["OPPORTUNISTIC", "PROACTIVE"]


class InterfacePlan(Slice, frozen=True, kw_only=True):
    """A network interface.

    `subnet` is the key of a subnet of this plan; with an existing subnet it is empty and
    `existing_subnet` is its full path.
    """

    subnet: str
    existing_subnet: str
    nic_type: NicType
    public_ip: bool


class SchedulingPlan(Slice, frozen=True, kw_only=True):
    """How the machines are obtained, kept and taken down, in the words of Compute Engine.

    An empty text or 0 leaves an argument out; `max_run_seconds` is in seconds.
    """

    provisioning_model: ProvisioningModel
    preemptible: bool
    automatic_restart: bool
    on_host_maintenance: Literal["TERMINATE", "MIGRATE"]
    termination_action: TerminationAction
    max_run_seconds: int
    reservation_affinity: ReservationAffinity
    reservation: str


class ShieldedPlan(Slice, frozen=True, kw_only=True):
    """Protection of the boot sequence."""

    secure_boot: bool
    vtpm: bool
    integrity_monitoring: bool


class TemplatePlan(Slice, frozen=True, kw_only=True):
    """What each node is made from.

    Sizes are in GB. `local_ssds` counts only the disks that have to be asked for: machine types that
    bundle local SSDs always come with theirs. `threads_per_core` 0 leaves it to the machine type.
    """

    name_prefix: str
    machine_type: str
    image: str
    boot_disk_type: str
    boot_disk_size_gb: int
    local_ssds: int
    local_ssd_size_gb: int
    accelerator_type: str
    accelerator_count: int
    interfaces: tuple[InterfacePlan, ...]
    scheduling: SchedulingPlan
    threads_per_core: int
    shielded: ShieldedPlan | None
    metadata: dict[str, str]


class GroupPlan(Slice, frozen=True, kw_only=True):
    """The managed instance group.

    Either `nodes` are the names of the nodes, each created and kept by name, or (flex-start) `queued`
    nodes are requested at once and named by Compute Engine. After `wait_minutes` a change has failed.
    """

    name: str
    base_instance_name: str
    nodes: tuple[str, ...]
    queued: int
    resize_request: str
    update_type: UpdateType
    wait_minutes: int


class NodeGroupPlan(Slice, frozen=True, kw_only=True):
    """A group of machines that are alike; `key` is empty where a cluster has no other."""

    key: str
    zone: str
    labels: dict[str, str]
    policy: PolicyPlan | None
    template: TemplatePlan
    group: GroupPlan


class WaitPlan(Slice, frozen=True, kw_only=True):
    """Nodes, each as `ZONE/NAME`, that an apply waits for by this script, at most so long."""

    script: str
    timeout_seconds: int
    nodes: tuple[str, ...]


class VmPlan(StackPlan, frozen=True, kw_only=True):
    """A cluster of virtual machines on Google Cloud: one stack, called `name`."""

    project: str
    region: str
    zone: str
    labels: dict[str, str]
    state: StatePlan
    services: tuple[str, ...]
    networks: tuple[NetworkPlan, ...]
    nat: NatPlan | None
    service_account: ServiceAccountPlan
    buckets: tuple[BucketPlan, ...]
    upload: UploadPlan | None
    groups: tuple[NodeGroupPlan, ...]
    outputs: OutputsPlan
    end: EndPlan | None = None
    ray: RayPlan | None = None
    wait: WaitPlan | None = None
