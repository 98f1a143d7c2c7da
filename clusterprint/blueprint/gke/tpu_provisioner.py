"""The TPU provisioner: node pools that come and go with the jobs that need them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import ContainerImage
from clusterprint.blueprint.gke.texts import NodeLabelKey
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, ResourceName, ServiceAccountEmail, Zone, looks_like

ResourceType = Annotated[
    str,
    looks_like(
        "^[a-z0-9]([-.a-z0-9]*[a-z0-9])?/[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$",
        "the name of an extended resource, such as google.com/tpu",
        "google.com/tpu",
    ),
]

KeyPath = Annotated[
    str,
    looks_like(
        "^projects/[-a-z0-9.:]+/locations/[-a-z0-9]+/keyRings/[-_A-Za-z0-9]+/cryptoKeys/[-_A-Za-z0-9]+$",
        "the full name of a key in Cloud KMS: projects/P/locations/L/keyRings/R/cryptoKeys/K",
        "projects/my-project/locations/us-east5/keyRings/disks/cryptoKeys/boot",
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
    """A network that nodes are attached to."""

    network: Annotated[ResourceName, Meta(description="Name of the VPC network.")]
    subnetwork: Annotated[ResourceName, Meta(description="Name of a subnet of it.")]


class ProvisionerWebhook(Part, frozen=True, kw_only=True):
    """The webhook that prepares jobs of JobSets as they are created. It brings cert-manager along."""

    image: Annotated[ContainerImage, Meta(description="Image of the webhook.")]
    force_on_demand: Annotated[
        bool, Meta(description="Whether to take reservations and spot out of every job.")
    ] = False
    reservation_location_hint: (
        Annotated[
            ResourceName,
            Meta(
                description="Location hint that every job is given. Left out: none.",
                examples=["cell"],
            ),
        ]
        | UnsetType
    ) = UNSET


class ProvisionedNodes(Part, frozen=True, kw_only=True):
    """What the nodes of provisioned pools are like."""

    service_account: (
        Annotated[
            ServiceAccountEmail,
            Meta(description="Who the nodes are. Left out: the account of the cluster's own nodes."),
        ]
        | UnsetType
    ) = UNSET
    tags: Annotated[
        tuple[ResourceName, ...], Meta(description="Network tags, which firewall rules refer to.")
    ] = ()
    labels_from_pods: Annotated[
        tuple[NodeLabelKey, ...],
        Meta(description="Keys of pod labels that are copied to the nodes.", examples=[["team"]]),
    ] = ()
    secondary_disk: (
        Annotated[
            DiskImage,
            Meta(
                description="Disk image with container images in it, which the nodes then need not pull. "
                "Goes with image streaming on the cluster."
            ),
        ]
        | UnsetType
    ) = UNSET
    secure_boot: Annotated[bool, Meta(description="Only load signed boot components.")] = True
    additional_networks: Annotated[
        tuple[NodeNetwork, ...], Meta(description="More networks that the nodes are attached to.")
    ] = ()
    boot_disk_type: (
        Annotated[
            Literal["pd-standard", "pd-balanced", "pd-ssd", "hyperdisk-balanced"],
            Meta(
                description="Type of the boot disk. Left out: GKE's default.",
                extra_json_schema={
                    "enumDescriptions": {
                        "pd-standard": "Hard disk; slow, cheap.",
                        "pd-balanced": "SSD, balanced price and speed.",
                        "pd-ssd": "SSD, fastest persistent disk.",
                        "hyperdisk-balanced": "Hyperdisk; v6e and TPU7x use it.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    confidential_storage: Annotated[
        bool, Meta(description="Whether boot disks are encrypted in confidential mode.")
    ] = False
    boot_disk_kms_key: (
        Annotated[
            KeyPath, Meta(description="Key that boot disks are encrypted with. Left out: Google's own.")
        ]
        | UnsetType
    ) = UNSET


class TpuProvisioner(Part, frozen=True, kw_only=True):
    """The TPU provisioner: a node pool for each job of a JobSet that waits for TPUs, gone with the JobSet."""

    image: Annotated[
        ContainerImage,
        Meta(
            description="Image of the controller; you build it.",
            examples=["us-docker.pkg.dev/my-project/images/tpu-provisioner:v1"],
        ),
    ]
    zone: (
        Annotated[Zone, Meta(description="Zone of the pools that it makes. Left out: the cluster's zone.")]
        | UnsetType
    ) = UNSET
    nodes: Annotated[ProvisionedNodes, Meta(description="What the nodes of provisioned pools are like.")] = (
        ProvisionedNodes()
    )
    force_on_demand: Annotated[
        bool, Meta(description="Whether pools ignore that a job asks for spot or a reservation.")
    ] = False
    node_min_lifespan: Annotated[
        Duration, Meta(description="How old a node must be before its pool may be deleted.")
    ] = "10s"
    node_pool_deletion_delay: Annotated[
        Duration,
        Meta(description="Handed to the controller; the versions known here delete without a delay."),
    ] = "30s"
    pod_resource_type: Annotated[
        ResourceType, Meta(description="Resource that a pod must ask for to be given a pool.")
    ] = "google.com/tpu"
    concurrency: Annotated[
        int, Meta(ge=1, le=100, description="How many pools are made or deleted at the same time.")
    ] = 3
    webhook: (
        Annotated[
            ProvisionerWebhook,
            Meta(description="The webhook that prepares jobs. Left out: none."),
        ]
        | UnsetType
    ) = UNSET
