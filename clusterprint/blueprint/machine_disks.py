"""Images, boot disks and local SSDs of machines on Google Cloud."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.disk_pools import InPool
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import ExactlyOne, Names, Refuses, Relation, when
from clusterprint.blueprint.texts import ProjectId, choice, looks_like


class Image(Part, frozen=True, kw_only=True):
    """Image of the boot disks: an image family (its newest image) or one image by name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        ExactlyOne("GCP030", ("family", "name")),
        Refuses("GCP031", "family", "matching", (r".*-v20\d{6}[a-z]?$",), (when("name", UNSET),)),
    )

    project: Annotated[
        ProjectId,
        Meta(description="Project that publishes the image.", examples=["ubuntu-os-accelerator-images"]),
    ]
    family: Annotated[
        str | UnsetType,
        looks_like(
            "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
            "an image family: lower-case letters, digits and hyphens",
            "ubuntu-accelerator-2404-amd64-with-nvidia-580",
        ),
        Meta(description="Image family. New machines use its newest image."),
    ] = UNSET
    name: Annotated[
        str | UnsetType,
        looks_like(
            "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
            "an image name: lower-case letters, digits and hyphens",
            "my-image-v12",
        ),
        Meta(description="Image name. Every machine uses exactly this image."),
    ] = UNSET


class BootDisk(Part, frozen=True, kw_only=True):
    """Boot disk of a machine."""

    type: Annotated[
        Literal["pd-standard", "pd-balanced", "pd-ssd", "hyperdisk-balanced"] | UnsetType,
        choice(
            description="Disk type. Left out: the best type that the machine type supports.",
            values={
                "pd-standard": "Hard disk: slow, cheap.",
                "pd-balanced": "SSD: balances price and performance.",
                "pd-ssd": "SSD: the fastest Persistent Disk.",
                "hyperdisk-balanced": "Hyperdisk: the only type for A3 Ultra, A4, A4X and G4.",
            },
        ),
    ] = UNSET
    size_gb: Annotated[int, Meta(ge=10, le=65536, description="Size in GB.")] = 200


class PooledBootDisk(BootDisk, frozen=True, kw_only=True):
    """Boot disk of a machine, which can be in a pool of disks."""

    relations = (Names("GCP114", "pool", ("storage.disk_pools",), "disk pool"),)

    pool: InPool | UnsetType = UNSET


class VmBootDisk(PooledBootDisk, frozen=True, kw_only=True):
    """Boot disk of a virtual machine, and whether it outlives the machine."""

    keep: Annotated[
        bool | UnsetType,
        Meta(
            description="Keep the boot disk of a node when it is recreated under the same name, for example "
            "after a failure or preemption. A kept disk never gets a newer image. Left out: true, except "
            "with flex_start, with `update: proactive`, with `health.repair`, and where machines are "
            "deleted when they are preempted or reach their maximum run time.",
            examples=[False],
        ),
    ] = UNSET


class LocalSsd(Part, frozen=True, kw_only=True):
    """Fast disks in the host. Their data is lost when the machine stops."""

    count: Annotated[int, Meta(ge=0, le=32, description="Disks per machine.", examples=[1])]
