"""Machines on Google Cloud: what they are, how they are paid for, how close together they are placed."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.confidential import Confidential
from clusterprint.blueprint.machine_disks import LocalSsd, PooledBootDisk
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Needs,
    Refuses,
    Relation,
    case,
    follows,
    only,
    unwritten,
    when,
)
from clusterprint.blueprint.texts import Duration, ResourceName, Zone, choice, looks_like
from clusterprint.capacity_models import CapacityModel

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
        "a reservation: NAME or projects/PROJECT/reservations/NAME, optionally followed by "
        "/reservationBlocks/BLOCK and /reservationSubBlocks/SUB_BLOCK to use only a part of it",
        "my-reservation",
        "projects/other-project/reservations/shared-reservation",
    ),
]


class Capacity(Part, frozen=True, kw_only=True):
    """How the machines are obtained and billed."""

    relations: ClassVar[tuple[Relation, ...]] = (
        only("GCP013", "capacity", "reservation", case(model="reservation"), plural="capacity"),
        Refuses("GCP014", "max_run_duration", "outside", ("10m", "7d"), (when("model", "flex_start"),)),
    )

    model: Annotated[
        CapacityModel,
        choice(
            description="Capacity model. Each machine type supports only some of them; clusterprint "
            "checks this against its catalog.",
            values={
                "on_demand": "Created as soon as there is capacity; runs until deleted; list price.",
                "spot": "Spare capacity at a large discount; Google can preempt it at any time.",
                "flex_start": "Queued until all machines are available at once; then they run for at most 7 "
                "days.",
                "reservation": "Taken from a reservation that you already pay for.",
            },
        ),
    ] = "on_demand"
    reservation: Annotated[
        ReservationName | UnsetType, Meta(description="Reservation to use. Requires `model: reservation`.")
    ] = UNSET
    max_run_duration: Annotated[
        Duration | UnsetType,
        Meta(
            description="Maximum run time of a machine, after which it is stopped or deleted "
            "(`termination_action`). Left out: 7d for flex_start, unlimited for the other models."
        ),
    ] = UNSET


#: The description of `fallbacks`, in every kind.
FALLBACKS = (
    "Other ways to obtain the machines, in the order in which `up` tries them while the cloud has no "
    "capacity. What a fallback leaves out has its default, and not the value of this capacity. "
    "NAME.capacity.lock beside the blueprint says which one counts."
)

#: How long something is tried.
Patience = Annotated[
    Duration | UnsetType,
    Meta(
        description="How long `up` tries all wishes again, one round after another, while the cloud has no "
        "capacity for any, and how long a group of kind vm stays in the queue of flex_start before the next "
        "wish. Left out: each is tried once, and a queue is the last.",
        examples=["2h"],
    ),
]

FallbackZone = Annotated[
    Zone | UnsetType,
    Meta(
        description="Zone of the nodes with this fallback. Left out: that of the group.",
        examples=["us-central1-b"],
    ),
]

FallbackMachine = Annotated[
    MachineType | UnsetType,
    Meta(
        description="Machine type with this fallback. Left out: that of the group.",
        examples=["a3-megagpu-8g"],
    ),
]

#: The description of several machine types, in every kind.
TYPES = (
    "Machines of one class that `up` tries in this order with this model: in a capacity after that of the "
    "group, in a fallback instead of it. They have as many GPUs of the same vendor, the same architecture "
    "and the same network between nodes as those of the group."
)

#: `patience` is about several wishes, and a reservation about one machine type; a fallback has one or a list.
PATIENCE = Needs("BP270", when("patience"), when("fallbacks"), (unwritten("machine_types"),))
NOT_RESERVED = Excludes("BP277", when("machine_types"), when("model", "reservation"), words="reserved")
ONE_TYPE = Excludes("BP277", when("machine_type"), when("machine_types"))

MachineTypes = Annotated[
    tuple[MachineType, ...],
    Meta(max_length=4, description=TYPES, examples=[["a2-ultragpu-2g", "g2-standard-24"]]),
]


class VmModel(Capacity, frozen=True, kw_only=True):
    """How virtual machines are paid for and obtained, and what happens when they are taken down."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GCP015", when("termination_action", "stop"), when("model", "flex_start")),
        Needs(
            "GCP016",
            when("termination_action"),
            when("max_run_duration"),
            given=(when("model", "on_demand", "reservation"),),
        ),
        Excludes(
            "VM144",
            when("termination_action", "stop"),
            when("max_run_duration"),
            given=(when("model", "on_demand", "spot", "reservation"),),
        ),
        only("VM211", "capacity", "calendar", case(model="reservation"), plural="capacity"),
    )

    termination_action: Annotated[
        Literal["stop", "delete"] | UnsetType,
        choice(
            description="Action on a machine that is preempted or reaches its maximum run time. Left out: "
            "spot machines are stopped, machines with a maximum run time are deleted. `repair` and "
            "`boot_disk.keep` determine what happens to the node after that.",
            values={
                "stop": "The machine is stopped; its boot disk is kept until the node is recreated.",
                "delete": "The machine is deleted, and its boot disk as well unless `boot_disk.keep` is "
                "true.",
            },
        ),
    ] = UNSET

    calendar: Annotated[
        bool,
        Meta(
            description="The reservation is in calendar mode: it has an end time, at which its nodes are "
            "deleted. A3 Ultra, A4 and A4X machines are always bound to their reservation.",
            examples=[True],
        ),
    ] = False


class VmFallback(VmModel, frozen=True, kw_only=True):
    """Another way to obtain the machines, if there is no capacity for the one before it."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("VM250", when("zone"), when("/zone"), (when("/nodes"),)),
        ONE_TYPE,
        NOT_RESERVED,
    )

    zone: FallbackZone = UNSET
    machine_type: FallbackMachine = UNSET
    machine_types: MachineTypes = ()


class VmCapacity(VmModel, frozen=True, kw_only=True):
    """How virtual machines are obtained, and in which other ways if there is no capacity for that."""

    relations: ClassVar[tuple[Relation, ...]] = (PATIENCE, NOT_RESERVED)

    machine_types: MachineTypes = ()

    fallbacks: Annotated[
        tuple[VmFallback, ...],
        Meta(max_length=8, description=FALLBACKS, examples=[[{"model": "spot"}, {"model": "flex_start"}]]),
    ] = ()
    patience: Patience = UNSET


class GuestAccelerator(Part, frozen=True, kw_only=True):
    """GPUs attached to a general-purpose (N1) machine."""

    type: Annotated[
        str,
        looks_like("^[a-z][-a-z0-9]+$", "an accelerator type, such as nvidia-tesla-t4", "nvidia-tesla-t4"),
        Meta(description="Accelerator type."),
    ]
    count: Annotated[int, Meta(ge=1, le=16, description="GPUs per machine.", examples=[1])]


class Placement(Part, frozen=True, kw_only=True):
    """How close together the nodes are placed."""

    relations: ClassVar[tuple[Relation, ...]] = (
        only("GCP042", "placement", "max_topology_distance", case(policy="workload")),
    )

    policy: Annotated[
        Literal["none", "compact", "workload"] | UnsetType,
        choice(
            description="Placement policy. Left out: for machine types with a GPU network, the closest "
            "placement that machine type and capacity model support; otherwise none. Reservations have "
            "their own placement, so the default for them is none.",
            values={
                "none": "No placement policy.",
                "compact": "Group placement policy that collocates the nodes.",
                "workload": "High-throughput workload policy: nodes in one block if possible.",
            },
        ),
    ] = UNSET
    max_topology_distance: Annotated[
        Literal["cluster", "block", "subblock"] | UnsetType,
        choice(
            description="With a workload policy, the maximum distance between two nodes. Left out: Google "
            "decides.",
            values={
                "cluster": "Same cluster.",
                "block": "Same block.",
                "subblock": "Same sub-block: the closest placement.",
            },
        ),
    ] = UNSET


class VmPlacement(Placement, frozen=True, kw_only=True):
    """How close together the nodes are placed, by a policy of their own or one that is there."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("VM166", when("existing"), when("policy", "compact", "workload")),
        Excludes("VM167", when("max_topology_distance"), when("existing")),
    )

    existing: Annotated[
        ResourceName | UnsetType,
        Meta(
            description="Name of an existing placement policy in the cluster's project and region, to use "
            "instead of creating one. `policy` must name its type.",
            examples=["team-placement"],
        ),
    ] = UNSET


_TYPE, _GPU = when("machine_type"), when("guest_accelerator.type")


class MachineGroup(Part, frozen=True, kw_only=True):
    """A group of identical machines. Whatever follows from the machine type comes from the catalog.

    Groups that can be elsewhere than the cluster have a field `zone` or `zones`.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes(
            "GCP040",
            when("placement.policy", "compact"),
            follows("machine.compact_placement", "machine_type", False),
        ),
        Excludes(
            "GCP048",
            when("placement.policy", "none", "compact"),
            follows("machine.workload_policy.required", "machine_type"),
        ),
        *(
            Refuses(code, "local_ssd.count", check, (_TYPE, *certain), (_TYPE,))
            for code, check, *certain in (
                ("GCP022", "unlike_own_local_ssds"),
                ("GCP023", "no_local_ssds"),
                ("GCP024", "too_many_local_ssds", 1),
                ("GCP025", "too_many_local_ssds", 0),
            )
        ),
        Refuses("GCP004", "guest_accelerator.type", "unlike_own_gpus", (_TYPE,), (_TYPE,)),
        Refuses("GCP004", "guest_accelerator.count", "unlike_own_gpus", (_TYPE, _GPU), (_TYPE,)),
        Refuses(
            "GCP007",
            "guest_accelerator.count",
            "not_attachable",
            (_GPU,),
            (
                follows("machine.series", "machine_type", "n1"),
                follows("machine.shared_core", "machine_type", False),
            ),
        ),
        Refuses("GCP003", "machine_type", "unknown", ("machine_type",)),
    )

    machine_type: Annotated[
        MachineType,
        Meta(
            description="Machine type of each node. It determines GPUs, network interfaces, MTU and "
            "bundled local SSDs. `clusterprint machines` lists the known types."
        ),
    ]
    capacity: Annotated[Capacity, Meta(description="How the machines are obtained and billed.")] = Capacity()
    guest_accelerator: Annotated[
        GuestAccelerator | UnsetType,
        Meta(
            description="GPUs to attach. Only for N1 machine types; other GPU machine types have built-in "
            "GPUs."
        ),
    ] = UNSET
    boot_disk: Annotated[PooledBootDisk, Meta(description="Boot disk of each machine.")] = PooledBootDisk()
    local_ssd: Annotated[
        LocalSsd | UnsetType,
        Meta(
            description="Local SSDs, for machine types where the number is configurable. Types with bundled "
            "local SSDs always have all of them."
        ),
    ] = UNSET
    placement: Annotated[Placement, Meta(description="How close together the nodes are placed.")] = (
        Placement()
    )
    threads_per_core: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=2,
            description="1 turns simultaneous multithreading off, which suits many HPC codes. Left out: the "
            "machine type's default.",
            examples=[1],
        ),
    ] = UNSET
    confidential: Confidential | UnsetType = UNSET

    @property
    def zone(self) -> str | UnsetType:
        """The zone of the group; left out: the cluster's."""
        return UNSET

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the group, where it can be in several."""
        return ()
