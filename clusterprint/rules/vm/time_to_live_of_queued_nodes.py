from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM141", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG", firm=True)
def time_to_live_of_queued_nodes(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A cluster with flex-start nodes has a time to live.

    Flex-start nodes may be queued for days, and Compute Engine names them: a time that is counted from the
    start would pass while they wait. They end by themselves: `capacity.max_run_duration` is counted from when
    each starts; then it is deleted, and never recreated.

    Remove `time_to_live` and set `max_run_duration`, or choose another capacity model.
    """
    blueprint = context.blueprint
    if not given(blueprint.time_to_live) or nodes.capacity.model != "flex_start":
        return
    yield Finding(
        "a time to live would pass while flex_start nodes wait in the queue",
        context.at(blueprint, "time_to_live"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help="remove it: these nodes end with capacity.max_run_duration (7d if left out)",
    )
