from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_containers
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM121", severity=Severity.ERROR, source="Docker: host network driver", firm=True)
def container_ports_in_own_network(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Ports of a container are published on nodes with GPUDirect.

    There the container shares the network of its node, which NCCL needs to use the cards between GPUs. What
    listens in it listens on the node, under the same number; Docker has nothing to map, and ignores `ports`.

    Remove `ports`, and let the program listen on the port that others use.
    """
    container = node_containers.container_of(context.blueprint, nodes)
    if not given(container) or not container.ports:
        return
    if not node_containers.shares_network(cooperation.gpudirect(nodes)):
        return
    yield Finding(
        f"with GPUDirect on {nodes.machine_type} the container uses the ports of its node; none is mapped",
        context.at_key(container, "ports"),
        also=(context.at(nodes, "machine_type", text="these nodes"),),
        help="remove ports; what listens in the container listens on the node",
    )
