from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import existing
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("RAY001", severity=Severity.ERROR, source="clusterprint: where workers run", firm=True)
def worker_without_nodes(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A group of workers names both a node pool and a compute class, or neither.

    Workers run on the nodes of one pool, or on whatever pool of a compute class has room. With neither there
    are no nodes for them, and with both the one would contradict the other.

    Keep either `pool` or `compute_class`.
    """
    if not given(worker.pool) and not given(worker.compute_class):
        if existing.has(context.blueprint, UNSET):
            return
        yield Finding(
            f"workers {worker.name} have neither pool nor compute_class",
            context.at_key(worker),
            help="write `pool: NAME` of a node pool, or `compute_class: NAME`",
        )
    elif given(worker.pool) and given(worker.compute_class):
        yield Finding(
            f"workers {worker.name} have both a pool and a compute class",
            context.at_key(worker, "compute_class"),
            also=(context.at_key(worker, "pool", text="the pool"),),
            help="keep one of the two",
        )
