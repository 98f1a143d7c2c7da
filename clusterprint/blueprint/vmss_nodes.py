"""The machines of the scale set of `kind: vmss`, and how they are tested."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import HostPrefix, ImageId, ImageUrn, Repair, Size
from clusterprint.blueprint.azure_machines import AzureCapacity, OsDisk
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Forbids,
    Needs,
    Refuses,
    Relation,
    follows,
    unless,
    when,
    written,
)
from clusterprint.blueprint.texts import choice
from clusterprint.blueprint.updates import MachineUpdate, UpdateOrStrategy

_INFINIBAND = follows("scale_sets.has_infiniband", "size")
_UNIFORM = follows("scale_sets.is_uniform", "size")
_FLEXIBLE = follows("scale_sets.is_uniform", "size", False)


class VmssNodes(Part, frozen=True, kw_only=True):
    """The machines of the scale set. Whatever follows from the size comes from the catalog."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("AZ004", when("image_id"), when("image")),
        Needs("AZ007", when("image_has_plan"), when("image")),
        Excludes("AZ013", when("proximity_placement"), when("capacity.model", "reservation")),
        Excludes(
            "AZ003",
            follows("scale_sets.has_image", "size", False),
            when("image", UNSET),
            (when("image_id", UNSET),),
        ),
        Excludes("AZ010", when("orchestration", "flexible"), _INFINIBAND),
        Refuses("AZ011", "count", "outside", (0, 100), (_INFINIBAND, _UNIFORM)),
        Excludes("AZ012", when("capacity.model", "reservation"), _INFINIBAND, (_UNIFORM,)),
        Refuses(
            "AZ016", "count", "outside", (0, 600), (follows("scale_sets.has_managed_image", "image_id"),)
        ),
        Excludes(
            "AZ017", when("security_type", "trusted_launch"), follows("scale_sets.has_hpc_image", "image")
        ),
        Excludes("AZ018", when("security_type", "trusted_launch"), _FLEXIBLE),
        Excludes("AZ019", when("update.strategy", "proactive"), _FLEXIBLE),
        Excludes("AZ121", when("update.strategy", "roll"), _FLEXIBLE),
        Forbids("AZ122", when("update.batch"), (follows("scale_sets.is_small_batch", "update.batch"),)),
        Excludes("AZ094", when("capacity.spot_restore"), _FLEXIBLE),
        Excludes("AZ020", when("/head_node.in_scale_set"), _UNIFORM),
        Excludes("AZ044", when("/time_to_live"), when("/create_resource_group", False), (_FLEXIBLE,)),
        Excludes(
            "AZ051",
            written("/health_checks.dcgm_level"),
            follows("scale_sets.has_nvidia", "size", False),
            instead="",
        ),
        Excludes(
            "AZ084",
            when("/head_node.runs_jobs"),
            _INFINIBAND,
            (when("/head_node.in_scale_set", False), unless("count", 0)),
        ),
        Refuses("AZ002", "size", "unknown", ("azure_size",)),
    )

    size: Annotated[
        Size,
        Meta(
            description="VM size of each node. It determines GPUs, InfiniBand, NVMe disks and the default "
            "image."
        ),
    ]
    count: Annotated[
        int, Meta(ge=0, le=1000, description="Number of nodes. 0 keeps everything except the nodes.")
    ] = 1
    orchestration: Annotated[
        Literal["uniform", "flexible"] | UnsetType,
        choice(
            description="Orchestration mode of the scale set. Left out: uniform for sizes with InfiniBand, "
            "flexible for others.",
            values={
                "uniform": "Identical instances in one InfiniBand partition; at most 100.",
                "flexible": "A group of ordinary virtual machines; at most 1000.",
            },
        ),
    ] = UNSET
    image: Annotated[
        ImageUrn | UnsetType,
        Meta(description="Marketplace image. Left out: Ubuntu HPC with the driver for the size's GPUs."),
    ] = UNSET
    image_has_plan: Annotated[
        bool,
        Meta(
            description="The image is sold with a plan. Its terms must have been accepted for the "
            "subscription (`az vm image terms accept`)."
        ),
    ] = False
    image_id: Annotated[ImageId | UnsetType, Meta(description="Custom image. Alternative to `image`.")] = (
        UNSET
    )
    name_prefix: Annotated[
        HostPrefix | UnsetType,
        Meta(
            description="Prefix of the nodes' host names; Azure appends six characters. Left out: "
            "`<cluster>-`."
        ),
    ] = UNSET
    os_disk: Annotated[OsDisk, Meta(description="OS disk of each node.")] = OsDisk()
    security_type: Annotated[
        Literal["standard", "trusted_launch"],
        choice(
            description="Protection of the boot sequence.",
            values={
                "standard": "No protection, as required by the HPC images and their unsigned GPU drivers. A "
                "node that Azure starts with secure boot anyway reports that, and how to fix it.",
                "trusted_launch": "Secure Boot and a virtual TPM, for images that support them.",
            },
        ),
    ] = "standard"
    ssh_between_nodes: Annotated[
        bool,
        Meta(
            description="Let the user log in from any node to any other, as MPI needs. Each node has its "
            "own key, which works inside the cluster only."
        ),
    ] = True
    capacity: Annotated[AzureCapacity, Meta(description="How the machines are obtained and billed.")] = (
        AzureCapacity()
    )
    update: Annotated[
        UpdateOrStrategy,
        Meta(
            description="How changes (image, size, scripts) reach running nodes of a uniform scale set.",
            examples=[{"strategy": "roll", "batch": "20%", "wait": "10m"}],
        ),
    ] = MachineUpdate(strategy="opportunistic")
    proximity_placement: Annotated[
        bool,
        Meta(
            description="Place the nodes in one data center with a proximity placement group. Not needed "
            "for machines with InfiniBand in a uniform scale set, which are close together anyway."
        ),
    ] = False
    zone: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=3,
            description="Availability zone of nodes and head. Left out: Azure decides.",
            examples=[1],
        ),
    ] = UNSET


class HealthChecks(Part, frozen=True, kw_only=True):
    """Hardware tests of each node: Azure node health checks, and DCGM on NVIDIA GPUs."""

    relations: ClassVar[tuple[Relation, ...]] = (Needs("AZ052", when("repair"), when("at_provisioning")),)

    at_provisioning: Annotated[
        bool, Meta(description="Run the health checks when a node is provisioned.")
    ] = True
    dcgm_level: Annotated[
        int,
        Meta(
            ge=1,
            le=4,
            description="Level of the DCGM diagnostics: level 1 takes seconds, level 4 more than an hour.",
        ),
    ] = 2
    repair: Annotated[
        Repair | UnsetType,
        Meta(
            description="Let Azure repair nodes that fail the health checks. Left out: failures are only "
            "reported."
        ),
    ] = UNSET
