"""Hardware options of node pools besides the machine type: TPU slices, disks, placement."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.machines import LocalSsd, Placement
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import looks_like


class Tpu(Part, frozen=True, kw_only=True):
    """The TPU slice that a pool consists of. It determines the number of nodes."""

    topology: Annotated[
        str,
        looks_like(
            "^[1-9][0-9]*(x[1-9][0-9]*){1,2}$",
            "a topology: the number of chips in each dimension of the slice, such as 2x4 or 2x2x2",
            "2x2x2",
            "4x4",
        ),
        Meta(description="Number of chips in each dimension of the slice."),
    ]
    slices: Annotated[
        int,
        Meta(
            ge=1,
            le=256,
            description="Number of such slices. Each becomes a node pool of its own, with this pool's "
            "name and a number as its name.",
        ),
    ] = 1


class PoolLocalSsd(LocalSsd, frozen=True, kw_only=True):
    """Fast disks in the host. Their data is lost with the machine."""

    count: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=32,
                description="Disks per machine. Left out: the disks that are bundled with the machine type.",
                examples=[1],
            ),
        ]
        | UnsetType
    ) = UNSET  # type: ignore[assignment]
    mode: Annotated[
        Literal["ephemeral", "raw"],
        Meta(
            description="What the disks are used for.",
            extra_json_schema={
                "enumDescriptions": {
                    "ephemeral": "All disks combined, for container images and emptyDir volumes.",
                    "raw": "Raw block devices, for workloads that manage them.",
                }
            },
        ),
    ] = "ephemeral"


class SecondaryBootDisk(Part, frozen=True, kw_only=True):
    """An additional disk on every node, with preloaded container images or data."""

    image: Annotated[
        str,
        looks_like(
            "^(projects/[-a-z0-9.:]+/)?global/images/[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
            "a disk image: global/images/NAME or projects/PROJECT/global/images/NAME",
            "projects/my-project/global/images/my-containers",
        ),
        Meta(description="The disk image."),
    ]
    container_images: Annotated[
        bool, Meta(description="The disk holds container images, which then need no download.")
    ] = True


class PoolPlacement(Placement, frozen=True, kw_only=True):
    """How close together the nodes of a pool are placed."""

    policy: (
        Annotated[
            Literal["none", "compact", "workload"],
            Meta(
                description="Placement policy. Left out: `workload` if the machine type requires it; "
                "`compact` for on-demand nodes with a GPU network, and for flex-start nodes of a3-ultragpu "
                "and a4 that are not queued; otherwise `none`, because reservations, queued requests and "
                "spot have their own placement. TPU slices are placed by their topology.",
                extra_json_schema={
                    "enumDescriptions": {
                        "none": "No placement policy.",
                        "compact": "Nodes close together, in one zone.",
                        "workload": "High-throughput workload policy: nodes in one block if possible.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
