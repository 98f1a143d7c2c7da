"""In which zones the pods of workloads run that mount a volume."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import NamedTuple

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint, is_ray
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.ray import Head, Worker
from clusterprint.derived import node_pools, placement
from clusterprint.rules._groups import and_more, by_cause
from clusterprint.rules.gke._jobs import pool_of, pools_of_class
from clusterprint.rules.gke._mounts import Mounting, all_mounts
from clusterprint.rules.kit import Context, Iterable, Iterator, known


class Placed(NamedTuple):
    """A mount in pods that run on a pool, and the zones of its nodes."""

    mounting: Mounting
    pool: NodePool
    zones: tuple[str, ...]


def mounted_in(context: Context[KubernetesBlueprint]) -> Iterator[Placed]:
    """All mounts but those of Ray's head, each with the pools that its pods run on."""
    for mounting in all_mounts(context):
        for pool, zones in known(_pools(mounting, context), partial(node_pools.zones, context.blueprint)):
            yield Placed(mounting, pool, zones)


class Together(NamedTuple):
    """Mounts with one cause: the first of them, and the mounts of the others."""

    first: Placed
    others: tuple[VolumeMount, ...]

    @property
    def who_runs(self) -> str:
        """The workloads as the beginning of a sentence: `job train and 2 more run`."""
        noun = self.first.mounting.workload.noun
        return f"{and_more(noun, len(self.others))} {'run' if self.others else 'runs'}"


def together(placed: Iterable[Placed], cause: Callable[[Placed], Hashable]) -> Iterator[Together]:
    """Those that have a volume and a cause in common; workloads that run on several pools count once."""
    for first, *rest in by_cause(placed, lambda each: (each.mounting.volume.name, cause(each))):
        mounts = {id(each.mounting.mount): each.mounting.mount for each in (first, *rest)}
        yield Together(first, tuple(mounts.values())[1:])


def _pools(mounting: Mounting, context: Context[KubernetesBlueprint]) -> list[NodePool]:
    part, blueprint = mounting.workload.part, context.blueprint
    if isinstance(part, MpiJob | PodGroup):
        pool = pool_of(part, context)
        return [*(pools_of_class(part, context) or ([pool] if pool else []))]
    if not is_ray(blueprint) or isinstance(part, Head):
        return []  # the head is beside the system, in any zone
    workers = [part] if isinstance(part, Worker) else blueprint.ray.workers
    named = {name for each in workers for name in placement.pools_named_by(each, blueprint.compute_classes)}
    return [pool for pool, name in known(blueprint.node_pools, lambda pool: pool.name) if name in named]
