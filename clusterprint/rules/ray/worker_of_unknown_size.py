from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import existing
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY095", severity=Severity.ERROR, source="clusterprint: existing clusters", firm=True)
def worker_of_unknown_size(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """Workers run on nodes of an existing cluster whose size is not given.

    A worker has its node to itself, so its size follows from the machine type of a pool. The machine type of
    existing nodes is not known.

    Write `cpus` and `memory_gb` of the worker, or `vcpus` and `memory_gb` of the nodes.
    """
    if given(worker.compute_class):
        return
    there = existing.nodes(context.blueprint)
    nodes = next((each for each in there if not given(worker.pool) or each.name == worker.pool), None)
    if nodes is None:
        return
    lacking = [
        field
        for field, of_nodes in (("cpus", nodes.vcpus), ("memory_gb", nodes.memory_gb))
        if not given(getattr(worker, field)) and not given(of_nodes)
    ]
    if lacking:
        yield Finding(
            f"workers {worker.name} have no {' and no '.join(lacking)}, and their nodes have no known size",
            context.at_key(worker),
            help=f"write {' and '.join(lacking)}",
        )
