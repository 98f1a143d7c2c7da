"""`kind: vm`: GPU virtual machines on Google Cloud, one or many."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.container import EXAMPLE, Container
from clusterprint.blueprint.content import FileCopy, Script
from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.relations import (
    ExactlyOne,
    Excludes,
    Needs,
    Refuses,
    Relation,
    Unique,
    follows,
    when,
    written,
)
from clusterprint.blueprint.storage import VmStorage
from clusterprint.blueprint.texts import Zone, looks_like
from clusterprint.blueprint.updates import Updates
from clusterprint.blueprint.vm_bootstrap import Benchmark, Bootstrap
from clusterprint.blueprint.vm_cluster import Cooperation
from clusterprint.blueprint.vm_life import TimeToLive, TimeToLiveAction, Wait
from clusterprint.blueprint.vm_monitoring import VmMonitoring
from clusterprint.blueprint.vm_network import Network
from clusterprint.blueprint.vm_nodes import NodeGroup, VmNodes
from clusterprint.blueprint.vm_notebook import Notebook

MetadataKey = Annotated[
    str,
    looks_like(
        "^[-_A-Za-z0-9]{1,128}$",
        "a metadata key: at most 128 letters, digits, hyphens and underscores",
        "key1",
    ),
]


class VmBlueprint(NetworkedBlueprint, frozen=True, kw_only=True):
    """GPU virtual machines on Google Cloud, one or many, as a managed group with stable names."""

    relations: ClassVar[tuple[Relation, ...]] = (
        ExactlyOne("VM080", ("nodes", "node_groups")),
        Needs("VM143", written("time_to_live_action"), when("time_to_live")),
        Unique("VM082", "node_groups", "there are two groups of nodes called {item.name}"),
        Refuses("VM060", "metadata", "one_of", ("VM060",)),
        Refuses("VM085", "labels", "one_of", ("VM085",), (when("node_groups"),)),
        Excludes("VM100", when("cluster.hosts", False), follows("cooperation.ssh", "/cluster.ssh")),
        *(
            Excludes(
                "VM109", when("cluster.ssh", False), follows(f"cooperation.has_{words}", place), words=words
            )
            for words, place in (("mpi", "/bootstrap.mpi"), ("slurm", "/bootstrap.slurm"))
        ),
        Refuses("VM140", "time_to_live", "outside", ("30m", "364d")),
        Excludes(
            "VM181",
            when("monitoring.alerts.gpu_idle"),
            follows("node_groups.have_gpus", "/nodes", False),
            instead="",
        ),
    )

    kind: Annotated[Literal["vm"], Meta(description="Kind of cluster.", examples=["vm"])]
    zone: Annotated[Zone, Meta(description="Zone of the nodes, in `region`.")]
    nodes: Annotated[
        VmNodes | UnsetType,
        Meta(description="The machines of the cluster, if all are identical. Alternative to `node_groups`."),
    ] = UNSET
    node_groups: Annotated[
        tuple[NodeGroup, ...],
        Meta(
            description="Groups of different machines in one network. Alternative to `nodes`.",
            examples=[
                [
                    {"name": "login", "machine_type": "n2-standard-4"},
                    {"name": "compute", "machine_type": "a2-highgpu-8g", "count": 2},
                ]
            ],
        ),
    ] = ()
    bootstrap: Annotated[
        Bootstrap,
        Meta(
            description="Programs that the nodes start together once they are ready.", examples=[{"mpi": {}}]
        ),
    ] = Bootstrap()
    notebook: Annotated[
        Notebook | UnsetType,
        Meta(
            description="JupyterLab on the nodes, started by each user under their own account and reached "
            "through SSH; the output `notebook` has the command. Left out: none.",
            examples=[{"port": 8888}],
        ),
    ] = UNSET
    benchmark: Annotated[
        Benchmark,
        Meta(description="Benchmarks to run once all nodes are ready.", examples=[{"nccl": {}}]),
    ] = Benchmark()
    network: Annotated[Network, Meta(description="The network of the cluster.")] = Network()
    storage: Annotated[VmStorage, Meta(description="Storage of the cluster's data.")] = VmStorage()
    cluster: Annotated[Cooperation, Meta(description="How the nodes find and reach each other.")] = (
        Cooperation()
    )
    monitoring: Annotated[VmMonitoring, Meta(description="Logs, metrics and alerts of the nodes.")] = (
        VmMonitoring()
    )
    files: Annotated[
        tuple[FileCopy, ...],
        Meta(
            description="Files and folders to copy to each node. Changes reach running nodes within "
            "minutes, and no node is recreated.",
            examples=[[{"source": "./scripts", "destination": "/usr/cp"}]],
        ),
    ] = ()
    startup_script: Annotated[
        Script | UnsetType,
        Meta(
            description="Script that runs as root on every boot of every node, unless its group has its own."
        ),
    ] = UNSET
    container: Annotated[
        Container | UnsetType,
        Meta(
            description="Container that runs on every node, unless its group has its own. Installs Docker if "
            "the image has none.",
            examples=[{"image": EXAMPLE}],
        ),
    ] = UNSET
    metadata: Annotated[
        dict[MetadataKey, str],
        Meta(
            description="Additional metadata of the nodes. Do not put secrets here: everybody on a node "
            "can read it.",
            examples=[{"key1": "val"}],
        ),
    ] = {}
    wait: Annotated[
        Wait | UnsetType,
        Meta(
            description="Let `terraform apply` wait for the nodes. Left out: it ends when they have been "
            "created, ready or not.",
            examples=[{"until": "ready", "timeout": "30m"}],
        ),
    ] = UNSET
    updates: Annotated[
        Updates,
        Meta(description="Automatic updates of the nodes' packages.", examples=[{"mode": "security"}]),
    ] = Updates()
    time_to_live: TimeToLive | UnsetType = UNSET
    time_to_live_action: TimeToLiveAction = "delete"
