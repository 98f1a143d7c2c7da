from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM042", severity=Severity.WARNING, source="Google Cloud: Cloud NAT overview")
def nat_unused(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """NAT is asked for, but nodes have public addresses and do not use it.

    A machine with a public address reaches the internet with that address, never through NAT.

    Remove `nat`, or remove `public_ip`.
    """
    network = blueprint.network
    if network.existing is not UNSET or not context.wrote(network, "nat") or not network.nat:
        return
    groups = node_groups.groups(blueprint)
    if groups and all(each.public_ip for each in groups):
        yield Finding(
            "nat is set, but nodes have public addresses and do not use it",
            context.at(network, "nat"),
            also=tuple(context.at(each, "public_ip", text="public addresses") for each in groups),
            help="remove nat, or remove public_ip",
        )
