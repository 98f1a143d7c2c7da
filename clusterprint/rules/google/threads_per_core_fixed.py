from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google import _threads
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP026", severity=Severity.ERROR, source="Google Cloud: set the number of threads per core")
def threads_per_core_fixed(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """Threads per core are set on a machine type that leaves no choice.

    The processors of A4X run one thread per core.

    Remove `threads_per_core`.
    """
    yield from _threads.fixed(nodes, context, certain=True)
