from clusterprint.blueprint.container import Container
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import cooperation, node_containers
from clusterprint.diagnostic import Label
from clusterprint.rules import _known
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_LARGEST = 65_535
# The node's own: whoever looks after it comes through this one.
_SSH = 22


@rule("VM120", severity=Severity.ERROR, firm=True)
def container_port_unusable(container: Container, context: Context) -> Iterator[Finding]:
    taken: dict[tuple[int, str], int] = {}
    for index, port in _known.values(container, "ports"):
        place = context.at(container, "ports", index)
        mapping, _, protocol = port.partition("/")
        outer, inner = map(int, mapping.split(":"))
        key = outer, protocol or "tcp"
        if not (1 <= outer <= _LARGEST and 1 <= inner <= _LARGEST):
            yield Finding(
                f"{port} has a port that is not from 1 to {_LARGEST:,}", place, help="write PORT:PORT"
            )
        elif key == (_SSH, "tcp"):
            yield Finding(
                "port 22 of a node is used by SSH", place, help="choose another port, for example 2222:22"
            )
        elif key in taken:
            yield Finding(
                f"port {outer} of a node can lead to one port only",
                place,
                also=(context.at(container, "ports", taken[key], text="the first one"),),
                help="choose another port of the node",
            )
        taken.setdefault(key, index)


@rule("VM121", severity=Severity.ERROR, firm=True)
def container_ports_in_own_network(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
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


@rule("VM123", severity=Severity.ERROR, firm=True)
def container_text_not_printable(container: Container, context: Context) -> Iterator[Finding]:
    for index, argument in _known.values(container, "args"):
        if not argument.isprintable():
            yield _finding("an argument", context.at(container, "args", index))
    for key, value in container.env.items():
        if not value.isprintable():
            yield _finding(f"the variable {key}", context.at(container, "env", key))


def _finding(what: str, place: Label) -> Finding:
    return Finding(
        f"{what} of the container has a line break, or an invisible character",
        place,
        help="write it in one line, or put it into a file that the container reads",
    )


@rule("VM124", severity=Severity.ERROR)
def container_gpus_without_gpus(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
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
