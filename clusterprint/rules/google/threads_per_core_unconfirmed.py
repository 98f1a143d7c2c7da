from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google import _threads
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP027", severity=Severity.WARNING, source="Google Cloud: set the number of threads per core")
def threads_per_core_unconfirmed(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """Threads per core are set on a machine type that probably leaves no choice.

    Shared-core machines, machines with one vCPU, Arm machines and some HPC series run with the threads
    that they have. For this machine type that was not confirmed.

    Remove `threads_per_core`, or ignore this warning if you know better.
    """
    yield from _threads.fixed(nodes, context, certain=False)
