from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.google._confidential import confidential_elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "VM240",
    severity=Severity.ERROR,
    source="Google Cloud: encrypt memory with Confidential VM clusters (machine types of each technology)",
)
def confidential_on_other_processor(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Confidential machines need a technology that their processors do not have.

    Each technology is part of certain processors. Compute Engine refuses to create other machines, and it
    does so when their group creates them, after the apply has begun.

    Use a machine type of a series that has it, or remove `confidential`.
    """
    yield from confidential_elsewhere(nodes, context)
