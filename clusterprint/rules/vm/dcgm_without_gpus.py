from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM112", severity=Severity.ERROR, source="NVIDIA: DCGM user guide", firm=True)
def dcgm_without_gpus(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """NVIDIA's Data Center GPU Manager is asked for on machines without GPUs.

    There is nothing to manage, and no driver to ask.

    Remove `dcgm: true`.
    """
    if nodes.dcgm and machine(nodes.machine_type) and not machine_with_gpus(nodes):
        yield Finding(
            f"{nodes.machine_type} has no GPUs for DCGM to manage",
            context.at(nodes, "dcgm"),
            also=(context.at(nodes, "machine_type", text="the machine type"),),
            help="remove dcgm",
        )
