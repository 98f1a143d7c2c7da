from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_network import Network
from clusterprint.derived import node_groups
from clusterprint.derived.ranges import IDENTITY_AWARE_PROXY
from clusterprint.rules import _listed_ranges, _ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule, values
from clusterprint.rules.vm import _ssh_ranges


@rule("VM040", severity=Severity.WARNING)
def ssh_range_repeated(network: Network, context: Context) -> Iterator[Finding]:
    yield from _listed_ranges.repeated(_ssh_ranges.ssh_ranges(network, context))


@rule("VM041", severity=Severity.WARNING)
def ssh_range_cannot_reach(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
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


_KEYS = ("ssh-keys", "sshKeys")


@rule("VM061", severity=Severity.ERROR)
def ssh_keys_with_os_login(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    for key in _KEYS:
        if key not in blueprint.metadata:
            continue
        groups = node_groups.groups(blueprint)
        if groups and all(each.os_login for each in groups):
            under = "nodes" if len(groups) == 1 else "the groups"
            written = [each for each in groups if context.wrote(each, "os_login")]
            yield Finding(
                f"metadata {key} does nothing while OS Login is on",
                context.at_key(blueprint, "metadata", key),
                also=tuple(context.at(each, "os_login", text="OS Login") for each in written),
                help=f"remove the keys, or write os_login: false under {under}",
            )
