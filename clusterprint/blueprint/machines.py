"""Machines on Google Cloud: what they are, how they are paid for, what they start from."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, ProjectId, looks_like

MachineType = Annotated[
    str,
    looks_like(
        "^[a-z][a-z0-9]*(-[a-z0-9]+)+$",
        "the name of a machine type, such as a3-ultragpu-8g",
        "a2-highgpu-2g",
        "a3-ultragpu-8g",
        "n2-standard-8",
        name_of="machine_type",
    ),
]

ReservationName = Annotated[
    str,
    looks_like(
        "^(projects/[-a-z0-9.:]+/reservations/)?[a-z]([-a-z0-9]{0,61}[a-z0-9])?"
        "(/reservationBlocks/[-a-z0-9]+(/reservationSubBlocks/[-a-z0-9]+)?)?$",
        "a reservation: its name, or projects/PROJECT/reservations/NAME, either followed by "
        "/reservationBlocks/BLOCK and /reservationSubBlocks/SUB_BLOCK where a part of it is meant",
        "my-reservation",
        "projects/other-project/reservations/shared-reservation",
    ),
]


class Capacity(Part, frozen=True, kw_only=True):
    """How the machines are paid for and obtained."""

    model: Annotated[
        Literal["on_demand", "spot", "flex_start", "reservation"],
        Meta(
            description="Capacity model. The catalog knows which ones each machine type is sold under.",
            extra_json_schema={
                "enumDescriptions": {
                    "on_demand": "Created at once or not at all; runs until you delete it; list price.",
                    "spot": "Spare capacity, much cheaper; Google takes it back at any time.",
                    "flex_start": "Queued until all machines are free, then yours for at most 7 days.",
                    "reservation": "Drawn from a reservation that you already pay for.",
                }
            },
        ),
    ] = "on_demand"
    reservation: (
        Annotated[
            ReservationName,
            Meta(description="The reservation to draw from; goes with `model: reservation`."),
        ]
        | UnsetType
    ) = UNSET
    max_run_duration: (
        Annotated[
            Duration,
            Meta(
                description="How long a machine runs before it is taken down. Always set for flex_start, "
                "where leaving it out means 7d; for the other models leaving it out means for ever."
            ),
        ]
        | UnsetType
    ) = UNSET


class VmCapacity(Capacity, frozen=True, kw_only=True):
    """How virtual machines are paid for and obtained, and what becomes of them afterwards."""

    termination_action: (
        Annotated[
            Literal["stop", "delete"],
            Meta(
                description="What happens to a machine that Google takes back or whose time is up. Left out: "
                "spot machines stop and keep their boot disk, machines with a run duration are deleted.",
                extra_json_schema={
                    "enumDescriptions": {
                        "stop": "It stops; its boot disk stays.",
                        "delete": "It is deleted with its boot disk.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET


class GuestAccelerator(Part, frozen=True, kw_only=True):
    """GPUs attached to a general-purpose (N1) machine."""

    type: Annotated[
        str,
        looks_like("^[a-z][-a-z0-9]+$", "an accelerator type, such as nvidia-tesla-t4", "nvidia-tesla-t4"),
        Meta(description="Accelerator type."),
    ]
    count: Annotated[int, Meta(ge=1, le=16, description="GPUs per machine.", examples=[1])]


class Image(Part, frozen=True, kw_only=True):
    """The image that boot disks are made from: a family (its newest image) or one image by name."""

    project: Annotated[
        ProjectId,
        Meta(description="Project that publishes the image.", examples=["ubuntu-os-accelerator-images"]),
    ]
    family: (
        Annotated[
            str,
            looks_like(
                "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
                "an image family: lower-case letters, digits and hyphens",
                "ubuntu-accelerator-2404-amd64-with-nvidia-580",
            ),
            Meta(description="Image family; new machines get its newest image."),
        ]
        | UnsetType
    ) = UNSET
    name: (
        Annotated[
            str,
            looks_like(
                "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
                "an image name: lower-case letters, digits and hyphens",
                "my-image-v12",
            ),
            Meta(description="Image name; every machine gets exactly this image."),
        ]
        | UnsetType
    ) = UNSET


class BootDisk(Part, frozen=True, kw_only=True):
    """The disk that a machine starts from."""

    type: (
        Annotated[
            Literal["pd-standard", "pd-balanced", "pd-ssd", "hyperdisk-balanced"],
            Meta(
                description="Disk type. Left out: the best one that the machine type accepts.",
                extra_json_schema={
                    "enumDescriptions": {
                        "pd-standard": "Hard disk; slow, cheap.",
                        "pd-balanced": "SSD, balanced price and speed.",
                        "pd-ssd": "SSD, fastest persistent disk.",
                        "hyperdisk-balanced": "Hyperdisk; the only choice on A3 Ultra, A4, A4X and G4.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    size_gb: Annotated[int, Meta(ge=10, le=65536, description="Size in GB.")] = 200


class LocalSsd(Part, frozen=True, kw_only=True):
    """Fast disks inside the host, emptied when the machine stops."""

    count: Annotated[int, Meta(ge=0, le=32, description="Disks per machine.", examples=[1])]


class Placement(Part, frozen=True, kw_only=True):
    """How close to each other the nodes are put."""

    policy: (
        Annotated[
            Literal["none", "compact", "workload"],
            Meta(
                description="Placement policy. Left out: the closest one that the machine type and the "
                "capacity model allow, if the machine type has a fabric between GPUs; none otherwise, and "
                "none for a reservation (which brings its own).",
                extra_json_schema={
                    "enumDescriptions": {
                        "none": "Wherever there is room.",
                        "compact": "A group placement policy: nodes are collocated.",
                        "workload": "A workload policy for high throughput: nodes in one block if possible.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    max_topology_distance: (
        Annotated[
            Literal["cluster", "block", "subblock"],
            Meta(
                description="With a workload policy, the furthest two nodes may be apart. Left out: Google "
                "decides.",
                extra_json_schema={
                    "enumDescriptions": {
                        "cluster": "In one cluster.",
                        "block": "In one block.",
                        "subblock": "In one sub-block: the closest.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET


class MachineGroup(Part, frozen=True, kw_only=True):
    """A group of identical machines. The catalog supplies whatever follows from the machine type."""

    machine_type: Annotated[
        MachineType,
        Meta(
            description="Machine type of each node. GPUs, network interfaces, MTU and bundled local SSD "
            "follow from it; `clusterprint machines` lists what there is."
        ),
    ]
    capacity: Annotated[Capacity, Meta(description="How the machines are paid for and obtained.")] = (
        Capacity()
    )
    guest_accelerator: (
        Annotated[
            GuestAccelerator,
            Meta(description="GPUs to attach. Only N1 machine types take them; all others bring their own."),
        ]
        | UnsetType
    ) = UNSET
    boot_disk: Annotated[BootDisk, Meta(description="The disk that each machine starts from.")] = BootDisk()
    local_ssd: (
        Annotated[
            LocalSsd,
            Meta(
                description="Local SSDs, where the machine type leaves the choice. Types that bundle them "
                "always have all of theirs."
            ),
        ]
        | UnsetType
    ) = UNSET
    placement: Annotated[Placement, Meta(description="How close to each other the nodes are put.")] = (
        Placement()
    )
    threads_per_core: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=2,
                description="1 switches simultaneous multithreading off, as HPC codes like it. Left out: as "
                "the machine type has it.",
                examples=[1],
            ),
        ]
        | UnsetType
    ) = UNSET
