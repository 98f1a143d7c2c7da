"""The pools of Ray workers."""

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import placement
from clusterprint.rules.kit import Context, given, known


def pools_of(worker: Worker, context: Context[RayBlueprint]) -> list[NodePool]:
    """The pools of the blueprint that a group of workers may run on, as far as they can be read."""
    given(worker.pool)  # what was reported already is unknowable
    given(worker.compute_class)
    classes = [each for each, _ in known(context.blueprint.compute_classes, lambda item: item.name)]
    names = placement.pools_named_by(worker, classes)
    return [
        pool for pool, name in known(context.blueprint.node_pools, lambda each: each.name) if name in names
    ]
