"""Plans for what kinds on Azure share.

`key` is the id of a construct, and so part of a resource's address in the user's Terraform state: it
comes from a name or a role, never from a position. Ids are full Azure resource ids.
"""

from typing import Literal

from clusterprint.plan.part import PlanPart
from clusterprint.plan.vmss_nodes import ShareKind


class ResourceGroupPlan(PlanPart, frozen=True, kw_only=True):
    """The resource group of everything; one that exists already is only named."""

    name: str
    create: bool


class NatGatewayPlan(PlanPart, frozen=True, kw_only=True):
    """Internet access for machines without a public address, by an address of its own."""

    name: str
    address: str


class BastionPlan(PlanPart, frozen=True, kw_only=True):
    """Azure Bastion in its own subnet, with an address of its own."""

    name: str
    subnet: str
    cidr: str
    address: str


class SshRulePlan(PlanPart, frozen=True, kw_only=True):
    """Who may open SSH connections from outside: from these ranges, to this range. No ranges, no rule.

    Azure looks at the rule with the lowest `priority` first.
    """

    sources: tuple[str, ...]
    destination: str
    priority: int


class NetworkPlan(PlanPart, frozen=True, kw_only=True):
    """A virtual network with a subnet for all machines.

    `existing_subnet` is the id of a subnet to use instead; then nothing but the security group is made.
    `endpoint_blocks`: the provider takes a block for each service endpoint.
    """

    name: str
    cidr: str
    subnet: str
    subnet_cidr: str
    service_endpoints: tuple[str, ...]
    endpoint_blocks: bool
    existing_subnet: str
    security_group: str
    ssh: SshRulePlan
    nat: NatGatewayPlan | None
    bastion: BastionPlan | None


class ImagePlan(PlanPart, frozen=True, kw_only=True):
    """An image of the marketplace, or with `id` one of one's own."""

    publisher: str
    offer: str
    sku: str
    version: str
    has_plan: bool
    id: str


class OsDiskPlan(PlanPart, frozen=True, kw_only=True):
    """The disk that a machine starts from; the size is in GB."""

    type: str
    size_gb: int
    encryption_set: str = ""


class AdminPlan(PlanPart, frozen=True, kw_only=True):
    """Who may log in."""

    username: str
    public_key: str


class IdentityPlan(PlanPart, frozen=True, kw_only=True):
    """A user-assigned identity that is made for machines of the cluster."""

    key: str
    name: str


Scope = Literal["scale_set", "resource_group", "head", "account", "lustre"]


class GrantPlan(PlanPart, frozen=True, kw_only=True):
    """A built-in role for an identity (by key) on something of the cluster.

    `share` is the key of the share whose account is meant when the scope is an account.
    """

    key: str
    identity: str
    role: str
    scope: Scope
    share: str


class VolumeKeyPlan(PlanPart, frozen=True, kw_only=True):
    """The key that a volume is encrypted with; `vault` and `identity` are ids."""

    url: str
    vault: str
    identity: str


class AccountPlan(PlanPart, frozen=True, kw_only=True):
    """A share of a storage account: both are created, or (`create` false) only named by `id`.

    `protected` refuses whatever would destroy them.
    """

    key: str
    kind: ShareKind
    create: bool
    id: str
    account: str
    share: str
    size_gb: int
    protected: bool
    key_of_own: VolumeKeyPlan | None = None


class LustreBlobPlan(PlanPart, frozen=True, kw_only=True):
    """The containers that a file system is filled from and writes its logs to, by id."""

    container: str
    logging_container: str
    prefix: str


class LustrePlan(PlanPart, frozen=True, kw_only=True):
    """A Lustre file system in a subnet of its own.

    With `existing_subnet`, the id of a subnet, none is made. Azure maintains it in the half hour that begins
    at `maintenance_time` (UTC) of each `maintenance_day`. `protected` refuses whatever would destroy it.
    """

    key: str
    name: str
    sku: str
    size_tib: int
    zone: str
    subnet: str
    subnet_cidr: str
    existing_subnet: str
    maintenance_day: str
    maintenance_time: str
    blob: LustreBlobPlan | None
    key_of_own: VolumeKeyPlan | None
    protected: bool
