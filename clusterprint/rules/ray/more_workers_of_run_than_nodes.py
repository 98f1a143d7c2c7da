from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import WorkerBounds
from clusterprint.derived import auto_creation, node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY075", severity=Severity.WARNING, source="clusterprint: one worker a node")
def more_workers_of_run_than_nodes(bounds: WorkerBounds, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A job or a service may have more workers of a group than the group's pools may have nodes.

    Each worker has a node to itself. The autoscaler asks for as many as `max` says, and some wait forever.

    Lower `max`, or give the pools more nodes.
    """
    if not given(bounds.max):
        return  # the group's own is what another rule compares
    groups = known(context.blueprint.ray.workers, lambda item: item.name)
    group = next((each for each, name in groups if name == bounds.name), None)
    pools = pools_of(group, context) if group else []
    if group is None or not pools:
        return
    hosts = max(1, node_pools.nodes_per_slice(pools[0]))
    nodes = sum(node_pools.max_nodes(context.blueprint, pool) for pool in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, group.compute_class)
    if bounds.max * hosts > nodes:
        yield Finding(
            f"workers {bounds.name} can grow to {bounds.max * hosts}, but there are at most {nodes} nodes "
            "for them",
            context.at(bounds, "max"),
            also=(number_label(pools[0], context, text="the number of nodes"),),
            help=f"write max: {nodes // hosts}, or give the pools more nodes",
        )
