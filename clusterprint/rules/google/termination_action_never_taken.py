from clusterprint.blueprint.machines import VmCapacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP016", severity=Severity.WARNING, source="Google Cloud: limit the run time of a VM")
def termination_action_never_taken(capacity: VmCapacity, context: Context) -> Iterator[Finding]:
    """A termination action is set for machines that Google never terminates.

    The action is for spot machines that Google preempts and for machines whose run time is limited; for all
    others it does nothing.

    Remove `termination_action`, or limit the run time with `max_run_duration`.
    """
    if not given(capacity.termination_action) or given(capacity.max_run_duration):
        return
    if capacity.model in ("spot", "flex_start"):
        return
    yield Finding(
        f"{capacity.model} machines without max_run_duration are never terminated",
        context.at(capacity, "termination_action"),
        help="remove termination_action, or add max_run_duration",
    )
