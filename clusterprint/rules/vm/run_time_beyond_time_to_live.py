from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived.durations import seconds
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM145", severity=Severity.WARNING, source="Google Cloud: limit the run time of VMs in a MIG")
def run_time_beyond_time_to_live(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The maximum run time of nodes is as long as the cluster lives, or longer.

    A machine's run time is counted from its own start, the time to live from the start of the cluster: the
    cluster ends first, so the run time is never reached.

    Remove `max_run_duration`, or make it shorter than `time_to_live`.
    """
    life, run = context.blueprint.time_to_live, nodes.capacity.max_run_duration
    # Of queued nodes another rule speaks.
    if not given(life) or not given(run) or nodes.capacity.model == "flex_start":
        return
    if seconds(run) >= seconds(life):
        yield Finding(
            f"these nodes end after {life}, before they have run for {run}",
            context.at(nodes.capacity, "max_run_duration"),
            also=(context.at(context.blueprint, "time_to_live", text="the time to live"),),
            help="remove it, or write a shorter one",
        )
