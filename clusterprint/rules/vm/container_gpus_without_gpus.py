from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import node_containers
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM124", severity=Severity.ERROR, source="Docker: access GPUs from containers")
def container_gpus_without_gpus(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The container asks for GPUs on nodes without any.

    Docker refuses to start it there, and the setup of the node ends with a failure.

    Leave `gpus` out, so that the container sees GPUs wherever there are some, or give this group a container
    of its own.
    """
    container = node_containers.container_of(context.blueprint, nodes)
    if not given(container) or container.gpus is not True:
        return
    if machine(nodes.machine_type) is None or machine_with_gpus(nodes) is not None:
        return
    yield Finding(
        f"the container asks for GPUs, and {nodes.machine_type} has none",
        context.at(container, "gpus"),
        also=(context.at(nodes, "machine_type", text="these nodes"),),
        help="remove gpus: the container sees GPUs wherever there are some",
    )
