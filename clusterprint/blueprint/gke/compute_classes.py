"""Compute classes: each maps a name that workloads request to node pools, in order of preference."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.hardware import TpuSlice
from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.machine_disks import BootDisk
from clusterprint.blueprint.machines import Capacity, MachineType
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, InRegion, Names, Relation, Since, Unique, when
from clusterprint.blueprint.texts import Zone, choice


class AutoCreation(Part, frozen=True, kw_only=True):
    """Nodes that GKE creates in pools of its own when those of a class are full, and deletes when idle."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE411", when("machine_type"), when("@why_not_created")),
        Excludes("GKE020", when("@tpu"), when("tpu", UNSET), words="created"),
        Excludes("GKE021", when("tpu"), when("@machine"), words="created"),
        Excludes("GKE022", when("@topology_edges"), when("@edges_of_tpu")),
        Excludes("GKE023", when("@missing_shape"), when("@tpu")),
        Excludes("GKE024", when("@shape_of_others"), when("@tpu")),
        Excludes("GKE026", when("@part_of_slice"), when("@hosts"), words="created"),
        InRegion("GKE414", "zones"),
        Unique("GKE414", "zones", "zone {item} is listed twice", key=(), help="remove one of them"),
        Excludes("GKE415", when("machine_type"), when("/cluster.existing")),
    )

    machine_type: Annotated[
        MachineType,
        Meta(
            description="Machine type of the nodes. It must have the same GPUs or TPUs as the preferred "
            "pools, and no networks of its own.",
            examples=["g2-standard-24"],
        ),
    ]
    tpu: Annotated[
        TpuSlice | UnsetType,
        Meta(
            description="The slice of each auto-created pool. Only for TPU machine types.",
            examples=[{"topology": "2x4"}],
        ),
    ] = UNSET
    max_nodes: Annotated[
        int,
        Meta(
            ge=1,
            le=15000,
            description="Number of these nodes to plan for: Kueue's quotas include them, and address "
            "ranges must have room for them. GKE creates as many as pending pods need, unless `limited` "
            "is true.",
            examples=[4],
        ),
    ]
    capacity: Annotated[
        tuple[Capacity, ...],
        Meta(
            min_length=1,
            description="How the nodes are paid for and obtained, in order of preference.",
            examples=[[{"model": "spot"}, {"model": "on_demand"}]],
        ),
    ] = (Capacity(),)
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the nodes. Left out: the cluster's `zone`, or zone b of the region if "
            "there is none.",
            examples=[["us-central1-a", "us-central1-b"]],
        ),
    ] = ()
    boot_disk: Annotated[BootDisk, Meta(description="Boot disk of each node.")] = BootDisk()
    limited: Annotated[
        bool,
        Meta(
            description="Limit the vCPUs of all nodes of the class to those of its pools at maximum size "
            "plus `max_nodes` of these nodes (a CapacityQuota, which is in preview).",
            examples=[True],
        ),
    ] = False


class ComputeClass(Part, frozen=True, kw_only=True):
    """A compute class. Its node pools get the label and the taint of the class."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Since("GKE416", when("auto_create"), "auto-creation", "the auto-created nodes"),
        Unique(
            "GKE053",
            "prefer",
            "compute class {part.name} prefers pool {item} twice",
            key=(),
            help="remove one of them",
        ),
        Names("GKE051", "prefer", ("node_pools",), "node pool"),
    )

    name: Annotated[
        KubernetesName,
        Meta(
            description="Name of the class. Workloads select it with the label "
            "`cloud.google.com/compute-class`.",
            examples=["h200"],
        ),
    ]
    prefer: Annotated[
        tuple[PoolName, ...],
        Meta(
            min_length=1,
            description="Node pools, in order of preference.",
            examples=[["spot", "flex"]],
        ),
    ]
    auto_create: Annotated[
        AutoCreation | UnsetType,
        Meta(
            description="Nodes that GKE creates when the preferred pools are full, in pools of its own. Left "
            "out: none."
        ),
    ] = UNSET
    when_unsatisfiable: Annotated[
        Literal["do_not_scale_up", "scale_up_anyway"],
        choice(
            description="Action on pods when none of the pools has room.",
            values={
                "do_not_scale_up": "They wait.",
                "scale_up_anyway": "They run on any nodes that the cluster can get.",
            },
        ),
    ] = "do_not_scale_up"
    migrate: Annotated[
        bool,
        Meta(description="Move running pods to a more preferred pool as soon as it has room."),
    ] = False
