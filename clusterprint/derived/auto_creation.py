"""Nodes that GKE makes pools for on its own: as if the blueprint had a pool of them."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.gke.compute_classes import AutoCreation, ComputeClass
from clusterprint.blueprint.gke.hardware import Tpu
from clusterprint.blueprint.gke.pools import Autoscaling, NodePool, PoolCapacity
from clusterprint.blueprint.machine_disks import PooledBootDisk

#: Of a compute class: how many nodes are counted on. Reviews read it; GKE makes as many as pods wait for.
MAX_NODES = "clusterprint/max-nodes"

_FROM_CHEAP_TO_DEAR = ("spot", "flex_start", "reservation", "on_demand")

Model = TypeVar("Model", bound=str)


def dearest(models: Iterable[Model]) -> Model:
    """The capacity model that stands for all of them: what nodes may cost is not told too low."""
    return max(models, key=_FROM_CHEAP_TO_DEAR.index)


def creations(classes: Iterable[ComputeClass]) -> tuple[tuple[ComputeClass, AutoCreation], ...]:
    """The classes that have pools made for them, each with what is made."""
    return tuple((each, each.auto_create) for each in classes if each.auto_create is not UNSET)


def as_pool(compute_class: ComputeClass, nodes: AutoCreation) -> NodePool:
    """The node pool that corresponds to these nodes; the first capacity stands for all."""
    first = next(iter(nodes.capacity), BROKEN)  # a list of nothing but mistakes is empty
    return NodePool(
        name=f"{compute_class.name}-created",
        machine_type=nodes.machine_type,
        tpu=UNSET if nodes.tpu is UNSET else Tpu(topology=nodes.tpu.topology),
        capacity=PoolCapacity(
            model=first.model, reservation=first.reservation, max_run_duration=first.max_run_duration
        ),
        autoscaling=Autoscaling(max=nodes.max_nodes),
        zones=nodes.zones,
        boot_disk=PooledBootDisk(type=nodes.boot_disk.type, size_gb=nodes.boot_disk.size_gb),
    )


def nodes_made(classes: Iterable[ComputeClass], name: str | UnsetType) -> int:
    """How many nodes there may be of a class beside those of its pools; 0 for no class."""
    return sum(nodes.max_nodes for each, nodes in creations(classes) if each.name == name)
