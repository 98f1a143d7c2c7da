"""The plan of a GKE cluster without its nodes."""

from typing import Literal

from clusterprint.plan.slice import Slice

Channel = Literal["UNSPECIFIED", "RAPID", "REGULAR", "STABLE", "EXTENDED"]


class ClusterNetworkPlan(Slice, frozen=True, kw_only=True):
    """Where the cluster is connected.

    `network` and `subnet` are keys of this plan; with an existing network they are empty, and
    `existing_network` and `existing_subnet` are full paths. The ranges are names of secondary ranges.
    Without `default_snat` pods keep their addresses wherever they talk to.
    """

    network: str
    subnet: str
    existing_network: str
    existing_subnet: str
    pod_range: str
    service_range: str
    default_snat: bool


class AuthorizedNetworkPlan(Slice, frozen=True, kw_only=True):
    """A range of addresses that may talk to the control plane."""

    name: str
    cidr: str


class WindowPlan(Slice, frozen=True, kw_only=True):
    """When Google may upgrade: every day from `daily_start`, or by `recurrence` from `start` to `end`."""

    daily_start: str
    start: str
    end: str
    recurrence: str


class ExclusionPlan(Slice, frozen=True, kw_only=True):
    """A time without upgrades; without an `end` it lasts as long as the version is supported."""

    name: str
    start: str
    end: str
    scope: str


class DisruptionBudgetPlan(Slice, frozen=True, kw_only=True):
    """The shortest time between automatic upgrades, in seconds; 0 leaves one to Google."""

    minor_seconds: int
    patch_seconds: int


class AddonsPlan(Slice, frozen=True, kw_only=True):
    """What Google installs in the cluster; None leaves an add-on as it is."""

    persistent_disk: bool
    gcs_fuse: bool
    filestore: bool
    lustre: bool
    parallelstore: bool
    dns_cache: bool
    ray: bool
    secret_manager: bool
    multi_tier_checkpointing: bool | None = None


class MonitoringPlan(Slice, frozen=True, kw_only=True):
    """What is logged and measured, as components of Cloud Logging and Cloud Monitoring."""

    logs: tuple[str, ...]
    metrics: tuple[str, ...]
    managed_prometheus: bool
    auto_monitoring: bool


class ControlPlanePlan(Slice, frozen=True, kw_only=True):
    """The GKE cluster. Without `window` and `exclusions` Google chooses when it upgrades.

    `node_locations` is empty where the location is a zone. `minimum_version` may be empty. Without
    `secrets_kms_key` Secrets are encrypted by Google alone.
    After `wait_minutes` a change has failed.
    """

    name: str
    location: str
    node_locations: tuple[str, ...]
    network: ClusterNetworkPlan
    minimum_version: str
    release_channel: Channel
    window: WindowPlan | None
    exclusions: tuple[ExclusionPlan, ...]
    disruption_budget: DisruptionBudgetPlan | None
    authorized_networks: tuple[AuthorizedNetworkPlan, ...]
    private_endpoint: bool
    dns_endpoint: bool
    private_nodes: bool
    dataplane_v2: bool
    multi_networking: bool
    workload_pool: str
    addons: AddonsPlan
    monitoring: MonitoringPlan
    image_streaming: bool
    cost_allocation: bool
    autoscaling_profile: str
    security_posture: bool
    binary_authorization: bool
    fleet: str
    deletion_protection: bool
    wait_minutes: int
    beta_apis: tuple[str, ...]
    gateway: bool
    secrets_kms_key: str = ""
    shielded_nodes: bool = True
