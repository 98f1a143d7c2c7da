"""The cluster that `cluster.existing` names, and the nodes that its jobs may run on."""

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.existing import ExistingCluster, ExistingNodes
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool

#: Nodes of a cluster about which nothing is said: any.
ANYWHERE = ExistingNodes(name="")


def is_plain(blueprint: KubernetesBlueprint) -> bool:
    """Whether nothing of Google is known to be there: a cluster that a kubectl context leads to."""
    existing = blueprint.cluster.existing
    return existing is not UNSET and existing.context is not UNSET


def is_existing(blueprint: KubernetesBlueprint) -> bool:
    """Whether the cluster is somebody else's."""
    return blueprint.cluster.existing is not UNSET


def name_of(blueprint: KubernetesBlueprint) -> str:
    """The cluster's name at Google; its content is named after the blueprint."""
    existing = blueprint.cluster.existing
    return blueprint.name if existing is UNSET or existing.name is UNSET else existing.name


def project_of(blueprint: KubernetesBlueprint) -> str:
    """The project that the cluster is in."""
    existing = blueprint.cluster.existing
    return blueprint.project if existing is UNSET or existing.project is UNSET else existing.project


def pools(blueprint: KubernetesBlueprint) -> tuple[NodePool, ...]:
    """All that jobs may run on, in the form of pools: those that are made, then nodes that are there.

    Of the latter, the catalog knows no machines, so nothing follows from those.
    """
    there = (NodePool(name=each.name, machine_type="") for each in nodes(blueprint))
    return (*blueprint.node_pools, *there)


def nodes(blueprint: KubernetesBlueprint) -> tuple[ExistingNodes, ...]:
    """Nodes that jobs may run on and nobody has to make; any, where pods go anywhere."""
    existing: ExistingCluster | UnsetType = blueprint.cluster.existing
    if existing is UNSET:
        return ()
    return existing.nodes if existing.nodes or blueprint.node_pools else (ANYWHERE,)


def has(blueprint: KubernetesBlueprint, name: str | UnsetType) -> bool:
    """Whether a job that names these nodes, or none, finds some."""
    return any(name is UNSET or each.name == name for each in nodes(blueprint))


def makes_network(blueprint: KubernetesBlueprint) -> bool:
    """Whether the primary network is ours, with its ranges and NAT; GPU networks always are."""
    return not is_existing(blueprint) and blueprint.network.existing is UNSET
