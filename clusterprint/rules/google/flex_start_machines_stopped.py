from clusterprint.blueprint.machines import VmCapacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP015", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG")
def flex_start_machines_stopped(capacity: VmCapacity, context: Context) -> Iterator[Finding]:
    """Flex-start machines are set to stop at their maximum run time.

    Machines from a resize request cannot be stopped: they are deleted, with their boot disks.

    Remove `termination_action`, and keep what must outlive the machines in a bucket.
    """
    if capacity.model != "flex_start" or capacity.termination_action != "stop":
        return
    yield Finding(
        "flex_start machines cannot be stopped, only deleted",
        context.at(capacity, "termination_action"),
        also=(context.at(capacity, "model", text="the capacity model"),),
        help="remove termination_action, or write termination_action: delete",
    )
