"""The TPU provisioner: node pools that are created and deleted with the jobs that need them."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.texts import NodeLabelKey
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, InRegion, Needs, Relation, when
from clusterprint.blueprint.texts import (
    ContainerImage,
    Duration,
    KmsKey,
    ResourceName,
    ServiceAccountEmail,
    Zone,
    choice,
    looks_like,
)

ResourceType = Annotated[
    str,
    looks_like(
        "^[a-z0-9]([-.a-z0-9]*[a-z0-9])?/[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$",
        "the name of an extended resource, such as google.com/tpu",
        "google.com/tpu",
    ),
]

DiskImage = Annotated[
    str,
    looks_like(
        "^(projects/[-a-z0-9.:]+/)?(global/)?images/[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
        "the path of a disk image: projects/PROJECT/global/images/IMAGE",
        "projects/my-project/global/images/preloaded",
    ),
]


class NodeNetwork(Part, frozen=True, kw_only=True):
    """An additional network of the nodes."""

    network: Annotated[ResourceName, Meta(description="Name of the VPC network.")]
    subnetwork: Annotated[ResourceName, Meta(description="Name of a subnet of this network.")]


class CertManager(Part, frozen=True, kw_only=True):
    """Install cert-manager, which makes and renews the certificate of the webhook."""


class ProvisionerWebhook(Part, frozen=True, kw_only=True):
    """Webhook that prepares the jobs of JobSets when they are created."""

    relations: ClassVar[tuple[Relation, ...]] = (Needs("GKE315", when("image"), when("cert_manager")),)

    image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of the webhook of ai-on-gke. Left out: the slice provisioner's own, which is "
            "in the image of the controller."
        ),
    ] = UNSET
    cert_manager: Annotated[
        CertManager | UnsetType,
        Meta(
            description="Install cert-manager for the certificate. Left out: the webhook of the slice "
            "provisioner creates and renews its own."
        ),
    ] = UNSET
    force_on_demand: Annotated[bool, Meta(description="Remove reservations and spot from every job.")] = False
    reservation_location_hint: Annotated[
        ResourceName | UnsetType,
        Meta(description="Location hint for every job. Left out: none.", examples=["cell"]),
    ] = UNSET


class ProvisionedNodes(Part, frozen=True, kw_only=True):
    """Settings of the nodes in provisioned pools."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE124", when("secondary_disk"), when("/cluster.image_streaming")),
    )

    service_account: Annotated[
        ServiceAccountEmail | UnsetType,
        Meta(description="Service account of the nodes. Left out: the account of the cluster's other nodes."),
    ] = UNSET
    tags: Annotated[tuple[ResourceName, ...], Meta(description="Network tags, for firewall rules.")] = ()
    labels_from_pods: Annotated[
        tuple[NodeLabelKey, ...],
        Meta(description="Keys of pod labels that are copied to the nodes.", examples=[["team"]]),
    ] = ()
    secondary_disk: Annotated[
        DiskImage | UnsetType,
        Meta(
            description="Disk image with preloaded container images, which the nodes then need not pull. "
            "Requires image streaming on the cluster."
        ),
    ] = UNSET
    secure_boot: Annotated[bool, Meta(description="Load only signed boot components.")] = True
    additional_networks: Annotated[
        tuple[NodeNetwork, ...], Meta(description="Additional networks of the nodes.")
    ] = ()
    boot_disk_type: Annotated[
        Literal["pd-standard", "pd-balanced", "pd-ssd", "hyperdisk-balanced"] | UnsetType,
        choice(
            description="Type of the boot disk. Left out: GKE's default.",
            values={
                "pd-standard": "Hard disk: slow, cheap.",
                "pd-balanced": "SSD: balances price and performance.",
                "pd-ssd": "SSD: the fastest Persistent Disk.",
                "hyperdisk-balanced": "Hyperdisk: used by v6e and TPU7x.",
            },
        ),
    ] = UNSET
    confidential_storage: Annotated[bool, Meta(description="Encrypt boot disks in confidential mode.")] = (
        False
    )
    boot_disk_kms_key: Annotated[
        KmsKey | UnsetType,
        Meta(description="Cloud KMS key that encrypts boot disks. Left out: a key managed by Google."),
    ] = UNSET


class TpuProvisioner(Part, frozen=True, kw_only=True):
    """The TPU provisioner: a node pool for each job that waits for TPUs."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *(InRegion("GKE122", field) for field in ("zone", "fallback_zones")),
        Needs("GKE121", when("controller", "tpu_provisioner"), when("/workloads.jobset")),
        *(
            Excludes("GKE310", when(field), when("controller", "tpu_provisioner"))
            for field in ("fallback_zones", "max_pools_per_namespace", "max_chips_per_namespace")
        ),
        Needs("GKE311", when("webhook"), when("webhook.image"), (when("controller", "tpu_provisioner"),)),
        Needs("GKE312", when("controller", "tpu_provisioner"), when("image")),
        Excludes("GKE316", when("controller", "tpu_provisioner"), when("/workloads.kueue")),
    )

    controller: Annotated[
        Literal["slice_provisioner", "tpu_provisioner"],
        choice(
            description="Controller to install, with the permissions that it needs.",
            values={
                "slice_provisioner": "clusterprint's own: for JobSets and Jobs, with several zones, "
                "fallbacks and status conditions on the JobSet.",
                "tpu_provisioner": "The TPU provisioner of ai-on-gke: for JobSets, in one zone.",
            },
        ),
    ] = "slice_provisioner"
    image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of the controller. Left out: the slice provisioner, which `clusterprint "
            "image` builds from the sources that come with clusterprint.",
            examples=["us-docker.pkg.dev/my-project/images/provisioner:v1"],
        ),
    ] = UNSET
    zone: Annotated[
        Zone | UnsetType, Meta(description="Zone of provisioned pools. Left out: the cluster's zone.")
    ] = UNSET
    fallback_zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones to try in this order when the first zone has no capacity.",
            examples=[["us-central1-b", "us-central1-c"]],
        ),
    ] = ()
    max_pools_per_namespace: Annotated[
        int | UnsetType,
        Meta(ge=1, description="Maximum number of pools per namespace. Left out: unlimited.", examples=[8]),
    ] = UNSET
    max_chips_per_namespace: Annotated[
        int | UnsetType,
        Meta(ge=1, description="Maximum number of chips per namespace. Left out: unlimited.", examples=[256]),
    ] = UNSET
    nodes: Annotated[ProvisionedNodes, Meta(description="Settings of the nodes in provisioned pools.")] = (
        ProvisionedNodes()
    )
    force_on_demand: Annotated[
        bool, Meta(description="Create on-demand pools even if a job requests spot or a reservation.")
    ] = False
    node_min_lifespan: Annotated[
        Duration, Meta(description="Minimum age of a node before its pool may be deleted.")
    ] = "10s"
    node_pool_deletion_delay: Annotated[
        Duration,
        Meta(
            description="How long a pool is kept after its job has ended. The TPU provisioner of ai-on-gke "
            "ignores it and deletes pools without a delay."
        ),
    ] = "30s"
    pod_resource_type: Annotated[
        ResourceType, Meta(description="Resource that a pod must request to get a pool.")
    ] = "google.com/tpu"
    concurrency: Annotated[
        int, Meta(ge=1, le=100, description="Number of pools that are created or deleted at the same time.")
    ] = 3
    webhook: Annotated[
        ProvisionerWebhook | UnsetType, Meta(description="Webhook that prepares jobs. Left out: none.")
    ] = UNSET
