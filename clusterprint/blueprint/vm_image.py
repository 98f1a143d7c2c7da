"""`image_build` of nodes of kind vm: an image that is built from the one that they name."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import LocalFiles, Script
from clusterprint.blueprint.machines import MachineType
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import InRegion, Refuses, Relation
from clusterprint.blueprint.texts import Duration, NodePath, ServiceAccountEmail, Zone, looks_like

FamilyName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,42}[a-z0-9])?$",
        "an image family: 1 to 44 lower-case letters, digits and hyphens, starting with a letter and not "
        "ending with a hyphen",
        "training",
    ),
]

ImageUser = Annotated[
    str,
    looks_like(
        "^(user|group|serviceAccount|domain):[-+%.@_A-Za-z0-9]+$",
        "a principal: user:, group:, serviceAccount: or domain: and a name",
        "group:research@example.com",
        "serviceAccount:123456789012@cloudservices.gserviceaccount.com",
    ),
]


class ImageFile(LocalFiles, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that is copied into the image."""

    destination: Annotated[
        NodePath, Meta(description="Destination path in the image.", examples=["/opt/site"])
    ]

    @property
    def landing(self) -> str:
        """Destination: an absolute path in the image."""
        return self.destination.rstrip("/")


class NodeImageBuild(Part, frozen=True, kw_only=True):
    """An image that is built from `image`, on a temporary machine."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("VM192", "timeout", "outside", ("10m", "1d")),
        InRegion("VM193", "zone"),
    )

    script: Annotated[
        Script | UnsetType,
        Meta(
            description="Script that runs once as root on the build machine, as the last step. If it fails, "
            "there is no image. It must not contain secrets."
        ),
    ] = UNSET
    files: Annotated[
        tuple[ImageFile, ...],
        Meta(
            description="Files and folders copied into the image before the script runs. At most 256 KiB, "
            "including the setup scripts; let the script fetch larger ones.",
            examples=[[{"source": "./scripts", "destination": "/opt/site"}]],
        ),
    ] = ()
    setup: Annotated[
        bool,
        Meta(
            description="Preinstall what these nodes would install at first boot, as far as it does not "
            "depend on their hardware: Docker, Open MPI, JupyterLab, Cloud Storage FUSE, the Ops Agent, "
            "the NCCL plug-in."
        ),
    ] = True
    family: Annotated[
        FamilyName | UnsetType,
        Meta(
            description="Image family; other blueprints use it to refer to the newest image. Left out: the "
            "name of the cluster, followed by that of the group if it has one."
        ),
    ] = UNSET
    edition: Annotated[
        str | UnsetType,
        looks_like(
            "^[-.A-Za-z0-9]{1,40}$",
            "an edition: at most 40 letters, digits, dots and hyphens",
            "2026-11",
        ),
        Meta(
            description="Any word. Change it to rebuild the image when nothing else has changed, for example "
            "after an update of the base image."
        ),
    ] = UNSET
    machine_type: Annotated[
        MachineType | UnsetType,
        Meta(
            description="Machine type of the build machine. One with GPUs also installs `driver`, DCGM and "
            "the NCCL tests. Left out: n2-standard-8, for Arm c4a-standard-8.",
            examples=["c3-standard-22"],
        ),
    ] = UNSET
    zone: Annotated[
        Zone | UnsetType,
        Meta(description="Zone of the build machine, in the region. Left out: the nodes' zone."),
    ] = UNSET
    disk_size_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=10,
            le=2048,
            description="Size of the image in GB; no boot disk can be smaller. Left out: 50, or the nodes' "
            "boot disk where that is smaller.",
            examples=[100],
        ),
    ] = UNSET
    timeout: Annotated[
        Duration,
        Meta(
            description="Timeout of a build, 10m to 1d, after which the build machine is deleted.",
            examples=["30m"],
        ),
    ] = "1h"
    service_account: Annotated[
        ServiceAccountEmail | UnsetType,
        Meta(
            description="Service account of the build machine, for a script that reads private data. Left "
            "out: none, so the machine has no permissions."
        ),
    ] = UNSET
    storage_location: Annotated[
        str | UnsetType,
        looks_like(
            "^(us|eu|asia|[a-z]+-[a-z]+[0-9]+)$",
            "a storage location: us, eu, asia or a region",
            "eu",
        ),
        Meta(description="Storage location of the image. Left out: the multi-region nearest to the nodes."),
    ] = UNSET
    share_with: Annotated[
        tuple[ImageUser, ...],
        Meta(
            description="Principals of other projects that may use the image: users and groups, or the "
            "project's Google APIs service agent, which creates the machines of instance groups.",
            examples=[["group:research@example.com"]],
        ),
    ] = ()
