"""`image_build` of nodes of kind vm: an image of their own, built on top of the one that they name."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import LocalFiles, Script
from clusterprint.blueprint.machines import MachineType
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, NodePath, ServiceAccountEmail, Zone, looks_like

FamilyName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,42}[a-z0-9])?$",
        "the family of an image that is built: 1 to 44 lower-case letters, digits and hyphens, starting with "
        "a letter and not ending with a hyphen",
        "training",
    ),
]

ImageUser = Annotated[
    str,
    looks_like(
        "^(user|group|serviceAccount|domain):[-+%.@_A-Za-z0-9]+$",
        "who may use the image: user:, group:, serviceAccount: or domain: and a name",
        "group:research@example.com",
        "serviceAccount:123456789012@cloudservices.gserviceaccount.com",
    ),
]


class ImageFile(LocalFiles, frozen=True, kw_only=True):
    """A file, or a folder with everything below it, that is in the image."""

    destination: Annotated[NodePath, Meta(description="Path in the image.", examples=["/opt/site"])]

    @property
    def landing(self) -> str:
        """Destination: an absolute path in the image."""
        return self.destination.rstrip("/")


class NodeImageBuild(Part, frozen=True, kw_only=True):
    """An image of the nodes' own: `image` with more in it, built by a machine that is gone afterwards."""

    script: (
        Annotated[
            Script,
            Meta(
                description="Script that runs once as root on the machine that becomes the image, when all "
                "else is in place. If it fails, there is no image. Nothing of it may be a secret."
            ),
        ]
        | UnsetType
    ) = UNSET
    files: Annotated[
        tuple[ImageFile, ...],
        Meta(
            description="Files and folders that are in the image, before the script runs. Together with "
            "what sets the machine up at most 256 KiB; larger ones are fetched by the script.",
            examples=[[{"source": "./scripts", "destination": "/opt/site"}]],
        ),
    ] = ()
    setup: Annotated[
        bool,
        Meta(
            description="Whether the image gets what these nodes would install at their first boot, as far "
            "as that does not depend on their own hardware: Docker, Open MPI, JupyterLab, Cloud Storage "
            "FUSE, the Ops Agent, NCCL's plug-in."
        ),
    ] = True
    family: (
        Annotated[
            FamilyName,
            Meta(
                description="Family of the images, by which other blueprints name the newest one. Left out: "
                "the name of the cluster, followed by that of the group if it has one."
            ),
        ]
        | UnsetType
    ) = UNSET
    edition: (
        Annotated[
            str,
            looks_like(
                "^[-.A-Za-z0-9]{1,40}$",
                "an edition: at most 40 letters, digits, dots and hyphens",
                "2026-11",
            ),
            Meta(
                description="Another edition is another image, although nothing else has changed: for "
                "updates of the image below, whose family goes on."
            ),
        ]
        | UnsetType
    ) = UNSET
    machine_type: (
        Annotated[
            MachineType,
            Meta(
                description="Machine that builds. One with GPUs also installs `driver`, DCGM and NCCL's "
                "tests. Left out: n2-standard-8, for Arm c4a-standard-8.",
                examples=["c3-standard-22"],
            ),
        ]
        | UnsetType
    ) = UNSET
    zone: (
        Annotated[Zone, Meta(description="Zone where it is built, in the region. Left out: the nodes' zone.")]
        | UnsetType
    ) = UNSET
    disk_size_gb: (
        Annotated[
            int,
            Meta(
                ge=10,
                le=2048,
                description="Size of the image in GB; no boot disk can be smaller. Left out: 50, or the "
                "nodes' boot disk where that is smaller.",
                examples=[100],
            ),
        ]
        | UnsetType
    ) = UNSET
    timeout: Annotated[
        Duration,
        Meta(
            description="How long a build may take, from 10m to 1d; then its machine is deleted.",
            examples=["30m"],
        ),
    ] = "1h"
    service_account: (
        Annotated[
            ServiceAccountEmail,
            Meta(
                description="Account of the machine that builds, for a script that reads private data. "
                "Left out: nobody, with no rights at all."
            ),
        ]
        | UnsetType
    ) = UNSET
    storage_location: (
        Annotated[
            str,
            looks_like(
                "^(us|eu|asia|[a-z]+-[a-z]+[0-9]+)$",
                "where an image is stored: us, eu, asia or a region",
                "eu",
            ),
            Meta(description="Where the image is stored. Left out: the multi-region nearest to the nodes."),
        ]
        | UnsetType
    ) = UNSET
    share_with: Annotated[
        tuple[ImageUser, ...],
        Meta(
            description="Who else may use the image, from other projects: their people, or their project's "
            "Google APIs service agent, which creates machines of groups.",
            examples=[["group:research@example.com"]],
        ),
    ] = ()
