"""The head node of `kind: vmss`."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import ImageUrn, Size
from clusterprint.blueprint.azure_machines import OsDisk
from clusterprint.blueprint.content import CloudInitFile, Script
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Refuses, Relation
from clusterprint.blueprint.texts import Cidr


class HeadDisk(OsDisk, frozen=True, kw_only=True):
    """OS disk of the head node."""

    size_gb: Annotated[int, Meta(ge=30, le=2048, description="Size in GB.")] = 128


class HeadNode(Part, frozen=True, kw_only=True):
    """The machine that users log in to. It reaches every node by name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("AZ022", "ssh_source_ranges", "opening"),
        Refuses("AZ030", "ssh_source_ranges", "no_range"),
        Refuses("AZ031", "ssh_source_ranges", "address"),
    )

    size: Annotated[
        Size | UnsetType,
        Meta(
            description="VM size. Left out: Standard_D4s_v5, which has no GPUs; of a head that runs jobs, "
            "the size of the nodes."
        ),
    ] = UNSET
    in_scale_set: Annotated[
        bool,
        Meta(description="Make the head node a member of the (flexible) scale set, where it also runs jobs."),
    ] = False
    runs_jobs: Annotated[
        bool,
        Meta(
            description="Let the head run jobs as well, outside of the scale set: it is set up and "
            "checked like a node, and is listed in the host files. With `nodes.count: 0` the cluster is "
            "a single machine. A head with `in_scale_set` always runs jobs."
        ),
    ] = False
    image: Annotated[
        ImageUrn | UnsetType,
        Meta(
            description="Marketplace image. Left out: Ubuntu 24.04; of a head that runs jobs, the image of "
            "the nodes."
        ),
    ] = UNSET
    os_disk: Annotated[HeadDisk, Meta(description="OS disk of the head node.")] = HeadDisk()
    public_ip: Annotated[
        bool,
        Meta(
            description="Give the head node a static public IP address. With false, users connect through "
            "Bastion or from inside the network."
        ),
    ] = True
    ssh_source_ranges: Annotated[
        tuple[Cidr, ...],
        Meta(
            description="Address ranges outside the network that may connect by SSH.",
            examples=[["203.0.113.0/24"]],
        ),
    ] = ()
    startup_script: Annotated[
        Script | UnsetType,
        Meta(description="Script that runs as root, once, when the head node is provisioned."),
    ] = UNSET
    cloud_init: Annotated[
        CloudInitFile | UnsetType,
        Meta(
            description="A cloud-init file of your own for the head node: its `users`, `write_files`, "
            "`packages` and `bootcmd` are merged with those of clusterprint."
        ),
    ] = UNSET
