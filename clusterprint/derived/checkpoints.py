"""Checkpoints in the memory of nodes: whose nodes keep them, and who copies them."""

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import node_pools

#: Who copies checkpoints in a cluster: an account that GKE makes with the add-on.
NAMESPACE = "gke-managed-checkpointing"
ACCOUNT = "gke-checkpointing-multitier-node"

# What nodes that keep checkpoints are labelled with, each with the name of its blueprint.
_LABEL = "clusterprint/checkpoints"


def asked(blueprint: KubernetesBlueprint) -> Checkpoints | None:
    """The checkpoint settings of a blueprint; None if it has none."""
    if not isinstance(blueprint, GkeBlueprint) or blueprint.workloads.checkpoints is UNSET:
        return None
    return blueprint.workloads.checkpoints


def keeps(checkpoints: Checkpoints, pool: NodePool) -> bool:
    """Whether the nodes of a pool keep checkpoints."""
    if checkpoints.node_pools:
        return pool.name in checkpoints.node_pools
    return node_pools.has_gpus(pool) or node_pools.tpu(pool) is not None


def label(blueprint: KubernetesBlueprint) -> dict[str, str]:
    """The label of the nodes that keep them: nodes of several pools have no other in common."""
    return {_LABEL: blueprint.name}


def volume(checkpoints: Checkpoints, blueprint: KubernetesBlueprint) -> GoogleVolume | None:
    """The bucket that they are copied to; None if there is no volume of that name."""
    return next((each for each in blueprint.storage.volumes if each.name == checkpoints.volume), None)
