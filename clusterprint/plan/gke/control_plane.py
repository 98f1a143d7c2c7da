"""The plan of a GKE cluster without its nodes."""

from typing import Annotated, Literal

from clusterprint.plan.argument import Argument
from clusterprint.plan.gke.pools import GuardedNodePlan
from clusterprint.plan.part import PlanPart

Channel = Literal["none", "rapid", "regular", "stable", "extended"]
_CHANNELS = {
    "none": "UNSPECIFIED",
    "rapid": "RAPID",
    "regular": "REGULAR",
    "stable": "STABLE",
    "extended": "EXTENDED",
}


class ClusterNetworkPlan(PlanPart, frozen=True, kw_only=True):
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


class AuthorizedNetworkPlan(PlanPart, frozen=True, kw_only=True):
    """A range of addresses that may talk to the control plane."""

    name: str
    cidr: str


class WindowPlan(PlanPart, frozen=True, kw_only=True):
    """When Google may upgrade: every day from `daily_start`, or by `recurrence` from `start` to `end`."""

    daily_start: str
    start: str
    end: str
    recurrence: str


class ExclusionPlan(PlanPart, frozen=True, kw_only=True):
    """A time without upgrades; without an `end` it lasts as long as the version is supported."""

    name: str
    start: str
    end: str
    scope: str


class DisruptionBudgetPlan(PlanPart, frozen=True, kw_only=True):
    """The shortest time between automatic upgrades, in seconds; 0 leaves one to Google."""

    minor_seconds: int
    patch_seconds: int


class AddonsPlan(PlanPart, frozen=True, kw_only=True):
    """Google's add-ons in the cluster; None leaves an add-on unchanged.

    Each is written whether it is on or off, so that switching it off is a change.
    """

    persistent_disk: Annotated[bool, Argument("addons_config.gce_persistent_disk_csi_driver_config.enabled")]
    gcs_fuse: Annotated[bool, Argument("addons_config.gcs_fuse_csi_driver_config.enabled")]
    filestore: Annotated[bool, Argument("addons_config.gcp_filestore_csi_driver_config.enabled")]
    lustre: Annotated[bool, Argument("addons_config.lustre_csi_driver_config.enabled")]
    parallelstore: Annotated[bool, Argument("addons_config.parallelstore_csi_driver_config.enabled")]
    dns_cache: Annotated[bool, Argument("addons_config.dns_cache_config.enabled")]
    ray: bool
    secret_manager: Annotated[bool, Argument("secret_manager_config.enabled")]
    multi_tier_checkpointing: bool | None = None


class MonitoringPlan(PlanPart, frozen=True, kw_only=True):
    """Logged and measured components of Cloud Logging and Cloud Monitoring."""

    logs: Annotated[tuple[str, ...], Argument("logging_config.enable_components")]
    metrics: Annotated[tuple[str, ...], Argument("monitoring_config.enable_components")]
    managed_prometheus: Annotated[bool, Argument("monitoring_config.managed_prometheus.enabled")]
    # GKE does not return the scope NONE: each plan would set it again (terraform-provider-google#26839).
    auto_monitoring: Annotated[
        bool,
        Argument("monitoring_config.managed_prometheus.auto_monitoring_config.scope", {True: "ALL"}),
    ]


class FirstNodesPlan(GuardedNodePlan, frozen=True, kw_only=True):
    """GKE makes no cluster without nodes: these are `removed` at once, and guarded meanwhile."""

    removed: Annotated[bool, Argument("remove_default_node_pool")] = True
    count: Annotated[int, Argument("initial_node_count")] = 1


class PosturePlan(PlanPart, frozen=True, kw_only=True):
    """Settings that are the same in all clusters.

    The control plane is reached from any region, by those who are named and log in: not from all addresses
    of Google's, not with a certificate. The port at which kubelets answer anybody is closed, and GKE makes no
    node pools unasked. Google has ended its scans of running images; registries scan what they hold.
    """

    global_access: Annotated[bool, Argument("private_cluster_config.master_global_access_config.enabled")] = (
        True
    )
    google_addresses: Annotated[
        bool, Argument("master_authorized_networks_config.gcp_public_cidrs_access_enabled")
    ] = False
    client_certificate: Annotated[
        bool, Argument("master_auth.client_certificate_config.issue_client_certificate")
    ] = False
    kubelet_read_only_port: Annotated[
        bool,
        Argument(
            "node_pool_defaults.node_config_defaults.insecure_kubelet_readonly_port_enabled",
            {True: "TRUE", False: "FALSE"},
        ),
    ] = False
    pools_by_demand: Annotated[bool, Argument("cluster_autoscaling.enabled")] = False
    image_scans: Annotated[
        bool, Argument("security_posture_config.vulnerability_mode", {False: "VULNERABILITY_DISABLED"})
    ] = False


class ControlPlanePlan(PlanPart, frozen=True, kw_only=True):
    """The GKE cluster. Without `window` and `exclusions` Google chooses when it upgrades.

    `node_locations` is empty where the location is a zone. `minimum_version` may be empty. Without
    `secrets_kms_key` Secrets are encrypted by Google alone.
    After `wait_minutes` a change has failed.
    """

    name: str
    location: str
    node_locations: Annotated[tuple[str, ...], Argument("node_locations")]
    network: ClusterNetworkPlan
    minimum_version: Annotated[str, Argument("min_master_version")]
    release_channel: Annotated[Channel, Argument("release_channel.channel", _CHANNELS)]
    window: WindowPlan | None
    exclusions: tuple[ExclusionPlan, ...]
    disruption_budget: DisruptionBudgetPlan | None
    authorized_networks: tuple[AuthorizedNetworkPlan, ...]
    private_endpoint: Annotated[bool, Argument("private_cluster_config.enable_private_endpoint")]
    dns_endpoint: Annotated[
        bool, Argument("control_plane_endpoints_config.dns_endpoint_config.allow_external_traffic")
    ]
    private_nodes: Annotated[bool, Argument("private_cluster_config.enable_private_nodes")]
    dataplane_v2: Annotated[
        bool, Argument("datapath_provider", {True: "ADVANCED_DATAPATH", False: "LEGACY_DATAPATH"})
    ]
    multi_networking: Annotated[bool, Argument("enable_multi_networking")]
    workload_pool: Annotated[str, Argument("workload_identity_config.workload_pool")]
    addons: AddonsPlan
    monitoring: MonitoringPlan
    image_streaming: Annotated[bool, Argument("node_pool_defaults.node_config_defaults.gcfs_config.enabled")]
    cost_allocation: Annotated[bool, Argument("cost_management_config.enabled")]
    autoscaling_profile: Annotated[
        Literal["balanced", "optimize_utilization"],
        Argument(
            "cluster_autoscaling.autoscaling_profile",
            {"balanced": "BALANCED", "optimize_utilization": "OPTIMIZE_UTILIZATION"},
        ),
    ]
    security_posture: Annotated[
        bool, Argument("security_posture_config.mode", {True: "BASIC", False: "DISABLED"})
    ]
    binary_authorization: Annotated[
        bool,
        Argument("binary_authorization.evaluation_mode", {True: "PROJECT_SINGLETON_POLICY_ENFORCE"}),
    ]
    fleet: Annotated[str, Argument("fleet.project")]
    deletion_protection: Annotated[bool, Argument("deletion_protection")]
    wait_minutes: int
    beta_apis: Annotated[tuple[str, ...], Argument("enable_k8s_beta_apis.enabled_apis")]
    gateway: Annotated[bool, Argument("gateway_api_config.channel", {True: "CHANNEL_STANDARD"})]
    secrets_kms_key: str = ""
    shielded_nodes: Annotated[bool, Argument("enable_shielded_nodes")] = True
    first_nodes: FirstNodesPlan = FirstNodesPlan()
    posture: PosturePlan = PosturePlan()
