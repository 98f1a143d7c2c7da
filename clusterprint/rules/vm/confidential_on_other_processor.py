from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.google._confidential import confidential_elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM240", severity=Severity.ERROR)
def confidential_on_other_processor(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    yield from confidential_elsewhere(nodes, context)
