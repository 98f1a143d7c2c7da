from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM042", severity=Severity.WARNING, source="Google Cloud: Cloud NAT overview")
def nat_unused(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """NAT is asked for, but nodes have public addresses and do not use it.

    A machine with a public address reaches the internet with that address, never through NAT.

    Remove `nat`, or remove `public_ip`.
    """
    network, nodes = blueprint.network, blueprint.nodes
    if network.existing is UNSET and context.wrote(network, "nat") and network.nat and nodes.public_ip:
        yield Finding(
            "nat is asked for, but nodes have public addresses and do not use it",
            context.at(network, "nat"),
            also=(context.at(nodes, "public_ip", text="public addresses"),),
            help="remove nat, or remove public_ip",
        )
