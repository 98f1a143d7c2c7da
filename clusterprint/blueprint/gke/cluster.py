"""The cluster itself: its control plane, how it is kept up to date, what Google runs in it."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.blueprint.gke.monitoring import Monitoring
from clusterprint.blueprint.networks import AllowedRange
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Cidr, looks_like

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
    """A range of addresses that may talk to the control plane."""

    name: Annotated[
        str,
        Meta(min_length=1, max_length=64, description="What the range is, for people.", examples=["office"]),
    ]
    cidr: Annotated[Cidr, Meta(description="The range; one address is a /32.", examples=["203.0.113.0/24"])]


class Addons(Part, frozen=True, kw_only=True):
    """Components that Google installs in the cluster and keeps up to date."""

    persistent_disk: Annotated[
        bool, Meta(description="Volumes on Persistent Disk and Hyperdisk (CSI driver).")
    ] = True
    gcs_fuse: Annotated[
        bool, Meta(description="Cloud Storage buckets as volumes (Cloud Storage FUSE CSI driver).")
    ] = True
    filestore: Annotated[bool, Meta(description="Filestore volumes (CSI driver).")] = False
    lustre: Annotated[bool, Meta(description="Managed Lustre volumes (CSI driver).")] = False
    parallelstore: Annotated[bool, Meta(description="Parallelstore volumes (CSI driver).")] = False
    dns_cache: Annotated[bool, Meta(description="A DNS cache on every node: fewer look-ups leave it.")] = True
    ray: Annotated[
        bool,
        Meta(description="The Ray operator (KubeRay), with logs and metrics of Ray clusters."),
    ] = False
    secret_manager: Annotated[
        bool, Meta(description="Secrets of Secret Manager as volumes (CSI driver).")
    ] = False


class Cluster(Part, frozen=True, kw_only=True):
    """The GKE cluster: who may reach it, which version it has, what Google runs in it."""

    location: Annotated[
        Literal["regional", "zonal"],
        Meta(
            description="Where the control plane is. It cannot be changed later.",
            extra_json_schema={
                "enumDescriptions": {
                    "regional": "In three zones: it stays up during upgrades and when a zone is lost.",
                    "zonal": "In the cluster's zone: cheaper, and gone for minutes during upgrades.",
                }
            },
        ),
    ] = "regional"
    version: (
        Annotated[
            GkeVersion,
            Meta(
                description="The least version of the control plane, as far as the release channel has it. "
                "Left out: the channel's default."
            ),
        ]
        | UnsetType
    ) = UNSET
    release_channel: Annotated[
        Literal["none", "rapid", "regular", "stable", "extended"],
        Meta(
            description="Who decides about upgrades. In a channel Google upgrades control plane and nodes.",
            extra_json_schema={
                "enumDescriptions": {
                    "none": "No channel: nodes are upgraded when you say so, until their version is too old.",
                    "rapid": "Newest versions first.",
                    "regular": "Versions that have proved themselves for two or three months.",
                    "stable": "Versions that have been in regular for some months.",
                    "extended": "Like regular, with versions kept for up to two years, for a fee.",
                }
            },
        ),
    ] = "regular"
    maintenance: Annotated[
        Maintenance, Meta(description="When Google may upgrade the cluster, and when not.")
    ] = Maintenance()
    authorized_networks: Annotated[
        tuple[AuthorizedNetwork, ...],
        Meta(
            description="Who may talk to the control plane by its IP address. Without any, its public "
            "address is closed."
        ),
    ] = ()
    dns_endpoint: (
        Annotated[
            bool,
            Meta(
                description="Whether the control plane is reached by its DNS name from outside of the "
                "network, where IAM decides about every call. Left out: only if there are no authorized "
                "networks, so that there is always one way in.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    private_nodes: Annotated[
        bool, Meta(description="Whether nodes have only private addresses, and reach out through NAT.")
    ] = True
    dataplane_v2: Annotated[
        bool,
        Meta(
            description="Network policies and networking by eBPF. GPU networks need it, and it cannot be "
            "changed later."
        ),
    ] = True
    multi_networking: (
        Annotated[
            bool,
            Meta(
                description="Whether pods can have several network interfaces. Left out: if a pool has GPU "
                "networks.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    addons: Annotated[
        Addons, Meta(description="Components that Google installs in the cluster and keeps up to date.")
    ] = Addons()
    monitoring: Annotated[
        Monitoring, Meta(description="What is logged and measured, in Cloud Logging and Monitoring.")
    ] = Monitoring()
    image_streaming: Annotated[
        bool,
        Meta(description="Start containers while their images from Artifact Registry still load."),
    ] = True
    cost_allocation: Annotated[
        bool, Meta(description="Tell cost by namespace and label in Cloud Billing.")
    ] = True
    autoscaling_profile: Annotated[
        Literal["balanced", "optimize_utilization"],
        Meta(
            description="How eagerly nodes without work are removed.",
            extra_json_schema={
                "enumDescriptions": {
                    "balanced": "Spare nodes are kept for a while.",
                    "optimize_utilization": "Spare nodes go soon: accelerators cost by the second.",
                }
            },
        ),
    ] = "optimize_utilization"
    security_posture: Annotated[
        bool,
        Meta(
            description="Whether Google looks for risky configuration of workloads and for known weaknesses."
        ),
    ] = True
    binary_authorization: Annotated[
        bool, Meta(description="Whether the project's Binary Authorization policy decides about images.")
    ] = False
    fleet: Annotated[bool, Meta(description="Whether the cluster is registered in the project's fleet.")] = (
        False
    )
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Whether Terraform refuses to delete the cluster. To destroy it, set this to false, "
            "apply, and then destroy."
        ),
    ] = True
