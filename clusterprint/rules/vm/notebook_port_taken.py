from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_containers, node_settings, ports
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# What listens on nodes with Ray: its head and its dashboard.
_RAY = (ports.RAY["gcs-server"], ports.RAY["dashboard"])


@rule("VM186", severity=Severity.ERROR, firm=True)
def notebook_port_taken(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    port = node_settings.notebook_port(blueprint, nodes)
    if not port or blueprint.notebook is UNSET:
        return
    container = node_containers.container_of(blueprint, nodes)
    mapped = () if container is UNSET else container.ports
    users = {
        "the container": any(each.partition(":")[0] == str(port) for each in mapped),
        "Ray": blueprint.bootstrap.ray is not UNSET and port in _RAY,
        "health checks": port == ports.HEALTH,
    }
    for user, takes in users.items():
        if takes:
            yield Finding(
                f"port {port} of the nodes is used by {user}",
                context.at(blueprint.notebook, "port"),
                help="give the notebook another port, such as port: 8889",
            )
