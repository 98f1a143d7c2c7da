from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ037", severity=Severity.WARNING, source="Azure: default outbound access")
def nodes_without_internet_access(network: VmssNetwork, context: Context) -> Iterator[Finding]:
    """Nodes cannot reach the internet, nor Azure's management API.

    When a node is set up it installs packages, asks Azure for the head's key, and fetches the health checks.
    Without outbound access none of that works.

    Write `nat: true` (or remove `nat`), unless an image of your own brings everything and no node needs the
    head.
    """
    if network.existing is UNSET and not network.nat:
        yield Finding(
            "nodes have no outbound access: they can only be set up from what is in their image",
            context.at(network, "nat"),
            help="remove nat: false",
        )
