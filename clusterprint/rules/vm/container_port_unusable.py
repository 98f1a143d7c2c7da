from clusterprint.blueprint.container import Container
from clusterprint.rules import _known
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

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
