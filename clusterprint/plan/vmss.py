"""The plan of `kind: vmss`."""

from typing import Annotated, ClassVar, Literal

from clusterprint.plan.argument import Argument
from clusterprint.plan.azure import (
    AccountPlan,
    AdminPlan,
    GrantPlan,
    IdentityPlan,
    ImagePlan,
    LustrePlan,
    NetworkPlan,
    OsDiskPlan,
    ResourceGroupPlan,
)
from clusterprint.plan.kept_data import KeptDataPlan
from clusterprint.plan.part import PlanPart, StackPlan
from clusterprint.plan.slurm import SlurmPlan
from clusterprint.plan.state import StatePlan
from clusterprint.plan.vmss_nodes import Orchestration, SecurityType

Priority = Literal["Regular", "Spot"]
EvictionPolicy = Literal["", "Delete", "Deallocate"]
RepairAction = Literal["Replace", "Restart", "Reimage"]


class CapacityPlan(PlanPart, frozen=True, kw_only=True):
    """How the machines are obtained. `max_price` is in US dollars an hour, 0 for no limit.

    `restore` is how long Azure tries to restore an evicted machine, an ISO 8601 duration, or empty.
    """

    priority: Annotated[Priority, Argument("priority")]
    eviction_policy: Annotated[EvictionPolicy, Argument("eviction_policy")]
    max_price: Annotated[float, Argument("max_bid_price")]
    reservation: Annotated[str, Argument("capacity_reservation_group_id")]
    restore: str = ""


class RepairPlan(PlanPart, frozen=True, kw_only=True):
    """Azure's repair of unhealthy nodes; the grace period is an ISO 8601 duration."""

    grace_period: str
    action: RepairAction


class HealthEndpointPlan(PlanPart, frozen=True, kw_only=True):
    """Where the health extension asks a node how it is."""

    port: int
    path: str


class BatchesPlan(PlanPart, frozen=True, kw_only=True):
    """A rolling upgrade: percentages of all nodes, and a duration in ISO 8601."""

    percent: int
    unhealthy_percent: int
    unhealthy_upgraded_percent: int
    pause: str


class ScaleSetPlan(PlanPart, frozen=True, kw_only=True):
    """The scale set. `custom_data` is in base64; `zone` is empty for a regional set.

    With `roll`, a change of what nodes are made from reaches the running ones at once. After `wait_hours` a
    change has failed.
    """

    orchestration: Orchestration
    name: str
    size: str
    instances: int
    host_prefix: str
    single_placement_group: bool
    image: ImagePlan
    os_disk: OsDiskPlan
    security_type: SecurityType
    encryption_at_host: Annotated[bool, Argument("encryption_at_host_enabled", {True: True})]
    capacity: CapacityPlan
    zone: str
    identity: str
    custom_data: str
    health: HealthEndpointPlan
    repair: RepairPlan | None
    roll: bool
    acceleration: str
    batches: BatchesPlan | None = None
    extra_tags: dict[str, str]
    wait_hours: int


class HeadPlan(PlanPart, frozen=True, kw_only=True):
    """The head. `public_ip` and `private_ip` are empty for none, and for one that Azure chooses.

    `kept_tag` is the tag that the head itself writes.
    """

    name: str
    interface: str
    public_ip: str
    private_ip: str
    size: str
    accelerated_networking: bool
    in_scale_set: bool
    image: ImagePlan
    os_disk: OsDiskPlan
    encryption_at_host: Annotated[bool, Argument("encryption_at_host_enabled", {True: True})]
    zone: str
    identity: str
    custom_data: str
    kept_tag: str


class InboundNatPlan(PlanPart, frozen=True, kw_only=True):
    """A load balancer that forwards ports, from `first_port` on, to the SSH servers of the nodes."""

    name: str
    address: str
    first_port: int
    last_port: int


class VmssOutputsPlan(PlanPart, frozen=True, kw_only=True):
    """The outputs of the stack. `{head}` and `{balancer}` are placeholders for addresses from Azure."""

    connect: tuple[str, ...]
    nodes: tuple[str, ...]
    addresses: dict[str, str]
    host_files: tuple[str, ...]
    health: tuple[str, ...]
    state: str


class VmssPlan(StackPlan, frozen=True, kw_only=True):
    """A cluster of machines on Azure in a scale set: one stack, called `name`.

    `registered` are the services of Azure that Terraform registers for the subscription: none where whoever
    deploys has no rights on all of it.
    """

    module: ClassVar[str] = "vmss.stack"

    subscription: str
    location: str
    tags: dict[str, str]
    state: StatePlan
    registered: tuple[str, ...]
    azurerm_provider: str
    resource_group: ResourceGroupPlan
    network: NetworkPlan
    proximity_group: str
    inbound_nat: InboundNatPlan | None
    identities: tuple[IdentityPlan, ...]
    grants: tuple[GrantPlan, ...]
    accounts: tuple[AccountPlan, ...]
    lustre: LustrePlan | None
    kept_data: KeptDataPlan
    scripts: dict[str, str]
    admin: AdminPlan
    scale_set: ScaleSetPlan
    head: HeadPlan
    outputs: VmssOutputsPlan
    slurm: SlurmPlan | None = None
