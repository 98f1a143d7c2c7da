"""Plans for what the kinds on Google Cloud share.

`key` is the id of a construct, and so part of a resource's address in the user's Terraform state: it
comes from a name or a role, never from a position.
"""

from typing import Annotated, Literal

from clusterprint.plan.argument import Argument
from clusterprint.plan.part import PlanPart

#: Who refuses a deletion: with `PREVENT` the provider does, as long as its state says so.
DeletionPolicy = Literal["", "PREVENT"]


class RangePlan(PlanPart, frozen=True, kw_only=True):
    """A secondary range of a subnet."""

    name: str
    cidr: str


class SubnetPlan(PlanPart, frozen=True, kw_only=True):
    """A subnet; `cidr` is an IPv4 range in CIDR notation."""

    key: str
    name: str
    cidr: str
    secondary_ranges: tuple[RangePlan, ...]


class NetworkPlan(PlanPart, frozen=True, kw_only=True):
    """A VPC network with its subnets and firewall.

    `mtu` is in bytes; `profile` is the network profile of an RDMA network, else empty. Ranges in
    `internal_ranges` may send anything to the nodes, those in `ssh_ranges` open SSH; an empty tuple
    means no such rule.
    """

    key: str
    name: str
    mtu: int
    profile: str
    subnets: tuple[SubnetPlan, ...]
    internal_rule: str
    internal_ranges: tuple[str, ...]
    ssh_rule: str
    ssh_ranges: tuple[str, ...]


class NatPlan(PlanPart, frozen=True, kw_only=True):
    """Internet access for nodes without a public address, on the network `network`.

    With `dynamic_ports`, the fewest and the most, a node has as many connections as it needs, in place of
    some dozens to one place.
    """

    network: str
    router: str
    name: str
    dynamic_ports: tuple[int, int]


class ServiceAccountPlan(PlanPart, frozen=True, kw_only=True):
    """Who the nodes are.

    `account_id` is the id of the account to create; with an existing account it is empty and `email`
    is set. `roles` are granted in the project.
    """

    account_id: str
    email: str
    display_name: str
    roles: tuple[str, ...]


class CustomRolePlan(PlanPart, frozen=True, kw_only=True):
    """A role of the project with just these permissions, and the nodes as a member."""

    role_id: str
    title: str
    description: str
    permissions: tuple[str, ...]


class KeyGrantPlan(PlanPart, frozen=True, kw_only=True):
    """A role on a key for one of Google's own accounts: its address is the project's number at an `agent`."""

    name: str
    key: str
    agent: str
    role: str


class BucketRulePlan(PlanPart, frozen=True, kw_only=True):
    """A lifecycle rule of a bucket by the age of objects; an empty `storage_class` deletes them."""

    age_days: int
    storage_class: str
    prefix: str


class BucketCachePlan(PlanPart, frozen=True, kw_only=True):
    """A cache of a bucket in one zone."""

    zone: str
    ttl_seconds: int


class BucketPlan(PlanPart, frozen=True, kw_only=True):
    """A bucket to create, or an existing one (`create` false); `role` is what nodes get on it, or empty.

    `volume` is the name of its volume. `protected` refuses a plan that would destroy it, `deletion_policy`
    the deletion itself. With 0 for `soft_delete_seconds` nothing that was deleted is kept. With `zone` it is
    in that zone of the region `location`. Its name goes on with a hyphen and `suffix_length` random digits,
    which are made once; with 0 it does not.
    """

    name: str
    create: bool
    location: str
    storage_class: Annotated[str, Argument("storage_class")]
    force_destroy: Annotated[bool, Argument("force_destroy")]
    role: str
    protected: bool
    deletion_policy: DeletionPolicy
    hierarchical_namespace: Annotated[bool, Argument("hierarchical_namespace.enabled", {True: True})]
    soft_delete_seconds: Annotated[int, Argument("soft_delete_policy.retention_duration_seconds")]
    versioning: Annotated[bool, Argument("versioning.enabled", {True: True})]
    autoclass: Annotated[bool, Argument("autoclass.enabled", {True: True})]
    rules: tuple[BucketRulePlan, ...]
    volume: str
    zone: str
    suffix_length: int
    caches: tuple[BucketCachePlan, ...]
    kms_key: Annotated[str, Argument("encryption.default_kms_key_name")] = ""


class ImageRepositoryPlan(PlanPart, frozen=True, kw_only=True):
    """A repository of Artifact Registry that is there already, and the `role` that nodes get on it."""

    project: str
    location: str
    name: str
    role: str


class ObjectPlan(PlanPart, frozen=True, kw_only=True):
    """A file that is uploaded.

    `path` is where it lands on the nodes, without the first slash; `source` is where it comes from,
    relative to the blueprint's folder; `md5` is the checksum of its content, in base64.
    """

    path: str
    source: str
    md5: str


class TextPlan(PlanPart, frozen=True, kw_only=True):
    """A text that is uploaded; `path` is where it lands on the nodes, without the first slash."""

    key: str
    path: str
    text: str


class UploadPlan(PlanPart, frozen=True, kw_only=True):
    """Files for the nodes, all below `prefix` in `bucket`: those of the user, and texts of ours.

    The nodes may read those and the object `manifest_object`, and nothing else. Its text `manifest` lists
    the files that nodes copy into place; both are empty if none is.
    """

    bucket: str
    prefix: str
    objects: tuple[ObjectPlan, ...]
    texts: tuple[TextPlan, ...]
    manifest_object: str
    manifest: str


PolicyKind = Literal["compact", "workload"]


class PolicyPlan(PlanPart, frozen=True, kw_only=True):
    """How nodes are put near each other: a group placement policy or a workload policy."""

    kind: PolicyKind
    name: str
    accelerator_topology: str
    max_topology_distance: str


class CommandsPlan(PlanPart, frozen=True, kw_only=True):
    """An output called `name`: commands, or addresses, by what they are for."""

    name: str
    description: str
    commands: dict[str, str]


class OutputsPlan(PlanPart, frozen=True, kw_only=True):
    """The outputs of the stack, the same for every kind.

    `groups` are the names of the nodes of each group, empty where all nodes are alike. `more` are commands
    that only some clusters have: by the name of an output what it is about, and each command by what it does.
    """

    connect: tuple[str, ...]
    status: tuple[str, ...]
    nodes: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    addresses: dict[str, str]
    state: str
    more: tuple[CommandsPlan, ...] = ()
