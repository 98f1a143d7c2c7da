from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_containers, node_settings
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

# What else listens on a node: Ray's head and dashboard, and the answer to health checks.
_RAY = (6379, 8265)
_HEALTH = 9797


@rule("VM186", severity=Severity.ERROR, source="clusterprint: docs/nodes-vm.md", firm=True)
def notebook_port_taken(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """JupyterLab listens at a port of the node that something else uses.

    The second one does not start: nobody could open a notebook.

    Give the notebook another port.
    """
    blueprint = context.blueprint
    port = node_settings.notebook_port(blueprint, nodes)
    if not port or blueprint.notebook is UNSET:
        return
    container = node_containers.container_of(blueprint, nodes)
    mapped = () if container is UNSET else container.ports
    users = {
        "the container": any(each.partition(":")[0] == str(port) for each in mapped),
        "Ray": blueprint.bootstrap.ray is not UNSET and port in _RAY,
        "health checks": port == _HEALTH,
    }
    for user, takes in users.items():
        if takes:
            yield Finding(
                f"port {port} of the nodes is used by {user}",
                context.at(blueprint.notebook, "port"),
                help="give the notebook another port, such as port: 8889",
            )
