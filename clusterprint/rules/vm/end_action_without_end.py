from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM143", severity=Severity.WARNING, source="clusterprint: the end of kind vm")
def end_action_without_end(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """`time_to_live_action` is set for a cluster that never ends.

    `time_to_live_action` is for the end of the time to live, and there is none.

    Add `time_to_live`, or remove the action.
    """
    if context.wrote(blueprint, "time_to_live_action") and not given(blueprint.time_to_live):
        yield Finding(
            "this cluster has no time to live, so time_to_live_action does nothing",
            context.at(blueprint, "time_to_live_action"),
            help="add time_to_live, or remove time_to_live_action",
        )
