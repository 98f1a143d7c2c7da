from clusterprint.blueprint.machines import VmCapacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM144", severity=Severity.ERROR, source="Google Cloud: limit the run time of VMs in a MIG")
def group_stops_nobody(capacity: VmCapacity, context: Context) -> Iterator[Finding]:
    """Machines are set to stop at their maximum run time, but their group deletes them.

    Nodes belong to a managed group, and it deletes a machine whose time is over, with its boot disk; the
    action of the machine itself is for machines without a group.

    Remove `termination_action`; or, to keep boot disks, end the cluster with `time_to_live` and
    `time_to_live_action: stop`.
    """
    # Flex-start machines have a rule of their own.
    if capacity.model == "flex_start" or capacity.termination_action != "stop":
        return
    if given(capacity.max_run_duration):
        yield Finding(
            "the group of these nodes deletes them at their maximum run time: it cannot stop them",
            context.at(capacity, "termination_action"),
            also=(context.at(capacity, "max_run_duration", text="the maximum run time"),),
            help="remove it; to keep boot disks, use time_to_live and time_to_live_action: stop",
        )
