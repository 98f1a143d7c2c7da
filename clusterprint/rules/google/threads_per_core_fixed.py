from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP026", severity=Severity.ERROR)
def threads_per_core_fixed(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from _fixed(nodes, context, certain=True)


@rule("GCP027", severity=Severity.WARNING)
def threads_per_core_unconfirmed(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from _fixed(nodes, context, certain=False)


def _fixed(nodes: MachineGroup, context: Context, *, certain: bool) -> Iterator[Finding]:
    """Find threads per core on a machine type that leaves no choice, where that is (not) certain."""
    found = machine(nodes.machine_type)
    if not given(nodes.threads_per_core) or found is None or found.threads_per_core_selectable:
        return
    if found.is_certain("threads_per_core_selectable") is not certain:
        return
    word = "leaves" if certain else "is not known to leave"
    choice = "no choice" if certain else "a choice"
    yield Finding(
        f"{found.name} {word} {choice} of threads per core",
        context.at(nodes, "threads_per_core"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help="remove threads_per_core",
    )
