"""The cluster itself: its control plane, upgrades, and the components that Google runs in it."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.existing import ExistingCluster
from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.blueprint.gke.monitoring import Monitoring
from clusterprint.blueprint.networks import AllowedRange
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Forbids, Needs, Relation, Since, when
from clusterprint.blueprint.texts import Cidr, KmsKey, choice, looks_like

GkeVersion = Annotated[
    str,
    looks_like(
        "^1\\.[0-9]{2}(\\.[0-9]+(-gke\\.[0-9]+)?)?$",
        "a GKE version: 1.33, 1.33.4 or 1.33.4-gke.1036000",
        "1.33",
        "1.33.4-gke.1036000",
    ),
]


class AuthorizedNetwork(AllowedRange, frozen=True, kw_only=True):
    """An address range that may connect to the control plane."""

    name: Annotated[
        str,
        Meta(min_length=1, max_length=64, description="Display name of the range.", examples=["office"]),
    ]
    cidr: Annotated[
        Cidr, Meta(description="The range. A single address is a /32.", examples=["203.0.113.0/24"])
    ]


class Addons(Part, frozen=True, kw_only=True):
    """Components that Google installs and updates in the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE396", when("multi_tier_checkpointing", False), when("/workloads.checkpoints")),
    )

    persistent_disk: Annotated[
        bool, Meta(description="Persistent Disk and Hyperdisk volumes (CSI driver).")
    ] = True
    gcs_fuse: Annotated[
        bool, Meta(description="Cloud Storage buckets as volumes (Cloud Storage FUSE CSI driver).")
    ] = True
    filestore: Annotated[bool, Meta(description="Filestore volumes (CSI driver).")] = False
    lustre: Annotated[bool, Meta(description="Managed Lustre volumes (CSI driver).")] = False
    parallelstore: Annotated[bool, Meta(description="Parallelstore volumes (CSI driver).")] = False
    dns_cache: Annotated[
        bool, Meta(description="DNS cache on every node, for lower latency and load (NodeLocal DNSCache).")
    ] = True
    ray: Annotated[
        bool,
        Meta(description="Ray operator (KubeRay), with logs and metrics of Ray clusters."),
    ] = False
    secret_manager: Annotated[bool, Meta(description="Secret Manager secrets as volumes (CSI driver).")] = (
        False
    )
    multi_tier_checkpointing: Annotated[
        bool | UnsetType,
        Meta(
            description="Checkpoints in the memory of nodes (multi-tier checkpointing). Left out: true with "
            "`workloads.checkpoints`, otherwise left as it is.",
            examples=[True],
        ),
    ] = UNSET


class Cluster(Part, frozen=True, kw_only=True):
    """The GKE cluster: access, version, and the components that Google runs in it."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE375", when("grant_kms_keys"), when("@keys")),
        Forbids("GKE457", when("release_channel", "none"), (when("existing", UNSET),)),
        Excludes("GKE261", when("secrets_kms_key"), when("/region"), (when("@foreign_secrets_key"),)),
        Since("GKE074", when("addons.ray"), "ray-operator", "the Ray operator"),
        Since("GKE395", when("addons.multi_tier_checkpointing"), "checkpoints", "the add-on"),
        Excludes("GKE075", when("maintenance.exclusions"), when("release_channel", "none")),
        Needs("GKE072", when("dns_endpoint", False), when("authorized_networks")),
    )

    existing: Annotated[
        ExistingCluster | UnsetType,
        Meta(
            description="Existing cluster to use: only what runs inside it is created, and `node_pools` are "
            "added to it.",
            examples=[{"name": "platform", "location": "us-central1"}],
        ),
    ] = UNSET
    location: Annotated[
        Literal["regional", "zonal"],
        choice(
            description="Location of the control plane. It cannot be changed later.",
            values={
                "regional": "In three zones: available during upgrades and zone outages.",
                "zonal": "In the cluster's zone: cheaper, but unavailable for minutes during upgrades.",
            },
        ),
    ] = "regional"
    version: Annotated[
        GkeVersion | UnsetType,
        Meta(
            description="Minimum control-plane version, if the release channel offers it. Left out: the "
            "channel's default. With `existing`: the minimum version that the cluster must have, checked at "
            "plan."
        ),
    ] = UNSET
    release_channel: Annotated[
        Literal["none", "rapid", "regular", "stable", "extended"],
        choice(
            description="Release channel. In a channel, Google upgrades control plane and nodes "
            "automatically.",
            values={
                "none": "No channel: deprecated, only for existing customers of Google, until 14 June 2027.",
                "rapid": "Newest versions first.",
                "regular": "Versions that have been in rapid for two or three months.",
                "stable": "Versions that have been in regular for several months.",
                "extended": "Like regular, but versions are supported for up to two years, for a fee.",
            },
        ),
    ] = "regular"
    maintenance: Annotated[
        Maintenance, Meta(description="When Google may and may not upgrade the cluster.")
    ] = Maintenance()
    authorized_networks: Annotated[
        tuple[AuthorizedNetwork, ...],
        Meta(
            description="Address ranges that may connect to the control plane's IP address. Empty: its "
            "public address is closed."
        ),
    ] = ()
    dns_endpoint: Annotated[
        bool | UnsetType,
        Meta(
            description="Make the control plane reachable by its DNS name from outside the network; IAM "
            "authorizes every call. Left out: enabled only if there are no authorized networks, so that the "
            "cluster is always reachable.",
            examples=[True],
        ),
    ] = UNSET
    private_nodes: Annotated[
        bool, Meta(description="Give nodes private addresses only; they reach the internet through NAT.")
    ] = True
    dataplane_v2: Annotated[
        bool,
        Meta(
            description="eBPF networking with network policies (GKE Dataplane V2). Required for GPU "
            "networks; it cannot be changed later."
        ),
    ] = True
    multi_networking: Annotated[
        bool | UnsetType,
        Meta(
            description="Allow pods to have several network interfaces. Left out: enabled if a pool has GPU "
            "networks.",
            examples=[True],
        ),
    ] = UNSET
    addons: Annotated[
        Addons, Meta(description="Components that Google installs and updates in the cluster.")
    ] = Addons()
    monitoring: Annotated[
        Monitoring, Meta(description="Logs and metrics, in Cloud Logging and Cloud Monitoring.")
    ] = Monitoring()
    image_streaming: Annotated[
        bool,
        Meta(description="Start containers before their images from Artifact Registry are fully pulled."),
    ] = True
    cost_allocation: Annotated[
        bool, Meta(description="Break cost down by namespace and label in Cloud Billing.")
    ] = True
    autoscaling_profile: Annotated[
        Literal["balanced", "optimize_utilization"],
        choice(
            description="How quickly idle nodes are removed.",
            values={
                "balanced": "Idle nodes are kept for a while.",
                "optimize_utilization": "Idle nodes are removed early: accelerators are billed by the "
                "second.",
            },
        ),
    ] = "optimize_utilization"
    security_posture: Annotated[
        bool,
        Meta(description="Scan workloads for risky configuration and known vulnerabilities."),
    ] = True
    binary_authorization: Annotated[
        bool, Meta(description="Enforce the project's Binary Authorization policy for container images.")
    ] = False
    secrets_kms_key: Annotated[
        KmsKey | UnsetType,
        Meta(
            description="Cloud KMS key that Kubernetes Secrets are encrypted with, besides Google's own "
            "encryption. The GKE service agent of the project must be allowed to use it (`grant_kms_keys`). "
            "It cannot be removed later."
        ),
    ] = UNSET
    grant_kms_keys: Annotated[
        bool,
        Meta(
            description="Grant Google's service agents the use of all Cloud KMS keys that the blueprint "
            "names. The deploying account must be allowed to grant that. With false, the owners of the "
            "keys must have granted it."
        ),
    ] = False
    fleet: Annotated[bool, Meta(description="Register the cluster in the project's fleet.")] = False
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Prevent Terraform from deleting the cluster. To destroy it, set this to false, "
            "apply, and then destroy."
        ),
    ] = True
