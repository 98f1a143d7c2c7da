"""Queues of Kueue with quotas, their names, and names of machine topologies."""

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.queues import Kueue, LocalQueue
from clusterprint.derived import node_pools

#: Labels of nodes that say where a machine is, by what blueprints call it; the widest first.
TOPOLOGY_LABELS = {
    "block": "cloud.google.com/gce-topology-block",
    "subblock": "cloud.google.com/gce-topology-subblock",
}

#: The first version of Kueue's chart that knows topologies without being asked to.
TOPOLOGY_SINCE = (0, 14)


def cluster_queue(kueue: Kueue, queue: LocalQueue) -> str:
    """The queue that holds the quotas of a local queue: one of its own, or the one of all others."""
    return f"{queue.namespace}-{queue.name}" if queue.quotas else kueue.cluster_queue


def has_topology(pool: NodePool) -> bool:
    """Whether nodes of a pool are labelled with where they are: those with a network between GPUs."""
    machine = node_pools.machine(pool)
    return machine is not None and machine.network.gpudirect != "none"


def version(text: str) -> tuple[int, int]:
    """The first two numbers of a chart's version."""
    major, minor, *_ = text.removeprefix("v").split(".")
    return int(major), int(minor)
