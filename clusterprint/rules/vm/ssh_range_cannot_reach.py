from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived.ranges import IDENTITY_AWARE_PROXY
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM041", severity=Severity.WARNING, source="Google Cloud: connect to VMs without external addresses")
def ssh_range_cannot_reach(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """SSH is opened to public addresses, but nodes have none that could be reached from there.

    Without a public address a node can be reached from its own network, from networks joined with it, and
    through Identity-Aware Proxy. The firewall rule is there, but nobody can use it.

    Remove the range and connect through Identity-Aware Proxy, or write `public_ip: true`.
    """
    network, nodes = blueprint.network, blueprint.nodes
    if network.existing is not UNSET or nodes.public_ip:
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
