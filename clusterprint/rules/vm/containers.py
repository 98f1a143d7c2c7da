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


@rule("VM120", severity=Severity.ERROR, source="Docker: port publishing and mapping", firm=True)
def container_port_unusable(container: Container, context: Context) -> Iterator[Finding]:
    """A port of the container cannot be published.

    Ports are numbers from 1 to 65,535, and one port of a node leads to one port only. Port 22 of a node is
    used by SSH. Docker refuses to start a container with such ports.

    Choose another port of the node.
    """
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


@rule("VM123", severity=Severity.ERROR, source="Docker: environment files", firm=True)
def container_text_not_printable(container: Container, context: Context) -> Iterator[Finding]:
    """An argument or a variable of the container has a line break, or another invisible character.

    They reach the nodes one per line, and Docker reads the variables of a container in the same way. What has
    several lines would be several of them.

    Put the text into a file: copy it with `files` into a mounted folder, or have it in the image.
    """
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
