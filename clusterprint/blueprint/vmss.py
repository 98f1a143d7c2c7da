"""`kind: vmss`: GPU machines on Azure in a scale set, with a head node."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import Admin, AzureBlueprint
from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.blueprint.content import CloudInitFile, Script
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Needs, Refuses, Relation, when
from clusterprint.blueprint.slurm import Slurm
from clusterprint.blueprint.texts import Duration
from clusterprint.blueprint.updates import Updates
from clusterprint.blueprint.vmss_head import HeadNode
from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.blueprint.vmss_nodes import HealthChecks, VmssNodes


class VmssBootstrap(Part, frozen=True, kw_only=True):
    """Programs that head and nodes start together."""

    slurm: Annotated[
        Slurm | UnsetType,
        Meta(description="A Slurm cluster. The head is its controller.", examples=[{"accounting": {}}]),
    ] = UNSET


class VmssBlueprint(AzureBlueprint, frozen=True, kw_only=True):
    """GPU machines on Azure in a scale set, with a head node."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("AZ024", when("network.inbound_nat"), when("head_node.ssh_source_ranges")),
        Refuses(
            "AZ085",
            "head_node.size",
            "other",
            (when("/nodes.size"),),
            (when("/nodes.size"), when("head_node.runs_jobs")),
        ),
        Refuses(
            "AZ065",
            "disk_encryption_set",
            "elsewhere",
            (when("/subscription"), "[^/]*/[^/]+/(?P<there>[^/]+)"),
            (when("/subscription"),),
        ),
    )

    kind: Annotated[Literal["vmss"], Meta(description="Kind of cluster.", examples=["vmss"])]
    nodes: Annotated[VmssNodes, Meta(description="The machines of the scale set.")]
    admin: Annotated[Admin, Meta(description="Login to the machines.")]
    head_node: Annotated[
        HeadNode,
        Meta(
            description="The machine that users log in to. It reaches every node by name.",
            examples=[{"ssh_source_ranges": ["203.0.113.0/24"]}],
        ),
    ] = HeadNode()
    network: Annotated[VmssNetwork, Meta(description="The network of the cluster.")] = VmssNetwork()
    health_checks: Annotated[HealthChecks, Meta(description="Hardware tests of each node.")] = HealthChecks()
    storage: Annotated[AzureStorage, Meta(description="Storage for the machines' data.")] = AzureStorage()
    bootstrap: Annotated[VmssBootstrap, Meta(description="Programs that head and nodes start together.")] = (
        VmssBootstrap()
    )
    startup_script: Annotated[
        Script | UnsetType, Meta(description="Script that runs as root, once, when a node is provisioned.")
    ] = UNSET
    cloud_init: Annotated[
        CloudInitFile | UnsetType,
        Meta(
            description="A cloud-init file of your own for the nodes: its `users`, `write_files`, `packages` "
            "and `bootcmd` are merged with those of clusterprint."
        ),
    ] = UNSET
    updates: Annotated[
        Updates,
        Meta(
            description="Automatic updates of the packages of nodes and head.",
            examples=[{"mode": "security"}],
        ),
    ] = Updates()
    time_to_live: Annotated[
        Duration | UnsetType,
        Meta(
            description="Lifetime of the cluster, after which its machines are deallocated. Left out: "
            "unlimited.",
            examples=["7d"],
        ),
    ] = UNSET
