from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM043", severity=Severity.WARNING, source="Google Cloud: Cloud NAT overview")
def no_internet_access(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """Nodes have neither a public address nor NAT, so they cannot reach the internet.

    Packages, containers and data from outside Google cannot be downloaded. Google's own services, Cloud
    Storage among them, stay within reach through Private Google Access.

    Write `nat: true` (or remove `nat`), unless the nodes are cut off on purpose.
    """
    network = blueprint.network
    if network.existing is not UNSET or network.nat:
        return
    if not all(each.public_ip for each in node_groups.groups(blueprint)):
        yield Finding(
            "nodes have neither NAT nor a public address: they reach nothing outside Google",
            context.at(network, "nat"),
            help="remove nat: false, unless the nodes are cut off on purpose",
        )
