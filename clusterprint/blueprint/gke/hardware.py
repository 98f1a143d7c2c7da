"""What the nodes of a pool are made from besides their machine type, and how they are put together."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.machines import LocalSsd, Placement
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import looks_like


class Tpu(Part, frozen=True, kw_only=True):
    """The slice of TPU chips that a pool is. The number of nodes follows from it."""

    topology: Annotated[
        str,
        looks_like(
            "^[1-9][0-9]*(x[1-9][0-9]*){1,2}$",
            "a topology: the chips along each edge of the slice, such as 2x4 or 2x2x2",
            "2x2x2",
            "4x4",
        ),
        Meta(description="Chips along each edge of the slice."),
    ]
    slices: Annotated[
        int,
        Meta(
            ge=1,
            le=256,
            description="How many such slices to have. Each is a node pool of its own, named after this "
            "one with a number behind it.",
        ),
    ] = 1


class PoolLocalSsd(LocalSsd, frozen=True, kw_only=True):
    """Fast disks inside the host, emptied when the machine goes."""

    count: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=32,
                description="Disks per machine. Left out: those that come with the machine type.",
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
                    "ephemeral": "Container images and emptyDir volumes of pods, all disks as one.",
                    "raw": "Block devices, for workloads that know what to do with them.",
                }
            },
        ),
    ] = "ephemeral"


class SecondaryBootDisk(Part, frozen=True, kw_only=True):
    """A disk with container images or data that every node starts with."""

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
        bool, Meta(description="Whether the disk holds container images, which then need no download.")
    ] = True


class PoolPlacement(Placement, frozen=True, kw_only=True):
    """How close to each other the nodes of a pool are put."""

    policy: (
        Annotated[
            Literal["none", "compact", "workload"],
            Meta(
                description="Placement policy. Left out: `workload` where the machine type needs one; "
                "`compact` for nodes on demand with a fabric between GPUs; none for the others, which are "
                "placed by who grants them. TPU slices are placed by their topology.",
                extra_json_schema={
                    "enumDescriptions": {
                        "none": "Wherever there is room.",
                        "compact": "Close together, in one zone.",
                        "workload": "By a workload policy for high throughput: in one block if possible.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
