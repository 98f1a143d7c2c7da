from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.derived.ranges import IDENTITY_AWARE_PROXY
from clusterprint.rules import _ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule, values


@rule("VM041", severity=Severity.WARNING, source="Google Cloud: connect to VMs without external addresses")
def ssh_range_cannot_reach(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """SSH is opened to public addresses, but nodes have none that could be reached from there.

    Without a public address a node can be reached from its own network, from networks joined with it, and
    through Identity-Aware Proxy. The firewall rule is there, but nobody can use it.

    Remove the range and connect through Identity-Aware Proxy, or write `public_ip: true`.
    """
    network = blueprint.network
    if network.existing is not UNSET or any(each.public_ip for each in node_groups.groups(blueprint)):
        return
    for index, text in values(network, "ssh_source_ranges"):
        cidr = _ranges.read(text)
        if cidr is None or cidr.prefixlen < _ranges.SHORTEST_PLACE:
            continue
        if not _ranges.is_private(cidr) and not cidr.overlaps(IDENTITY_AWARE_PROXY):
            yield Finding(
                f"{text} may open SSH connections, but nodes have no public address to reach",
                context.at(network, "ssh_source_ranges", index),
                help=f"use Identity-Aware Proxy ({IDENTITY_AWARE_PROXY}), or write public_ip: true",
            )
