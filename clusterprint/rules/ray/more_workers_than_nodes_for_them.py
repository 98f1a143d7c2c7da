from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import auto_creation, node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY007", severity=Severity.WARNING, source="clusterprint: one worker a node")
def more_workers_than_nodes_for_them(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A group may have more workers than its pools may have nodes.

    Each worker has a node to itself. The autoscaler asks for as many as `max` says, and some wait forever;
    with `min` above the number of nodes the Ray cluster is never complete.

    Lower `max`, or give the pools more nodes.
    """
    pools = pools_of(worker, context)
    if not pools:
        return
    hosts = max(1, node_pools.nodes_per_slice(pools[0]))
    nodes = sum(node_pools.max_nodes(context.blueprint, pool) for pool in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, worker.compute_class)
    for field in ("min", "max"):
        wanted = getattr(worker, field) * hosts
        if wanted > nodes:
            yield Finding(
                f"workers {worker.name} can grow to {wanted}, but there are at most {nodes} nodes for them",
                context.at(worker, field),
                also=(number_label(pools[0], context, text="the number of nodes"),),
                help=f"write {field}: {nodes // hosts}, or give the pools more nodes",
            )
            return
