from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups, ranges
from clusterprint.rules import _ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, counted, rule


@rule("VM037", severity=Severity.ERROR, firm=True)
def cidr_too_small(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    network = blueprint.network
    cidr = _ranges.read(network.cidr)
    groups = node_groups.groups(blueprint)
    needed = [node_groups.more_subnets(each) for each in groups]
    if cidr is None or not groups or None in needed:
        return
    gpu_networks = max(each or 0 for each in needed)
    if network.existing is not UNSET and not gpu_networks:
        return  # no subnet is made from it
    count = sum(each.count for each in groups)
    with_gpu_networks = sum(each.count for each, number in zip(groups, needed, strict=True) if number)
    longest = min(
        ranges.longest_prefix_for(0 if network.existing is not UNSET else count, 0),
        ranges.longest_prefix_for(with_gpu_networks, gpu_networks),
    )
    if cidr.prefixlen <= longest:
        return
    has = counted(count, "node")
    also = f" with {gpu_networks} GPU networks" if gpu_networks else ""
    yield Finding(
        f"{cidr} is too small for {has}{also}",
        context.at(network, "cidr"),
        also=tuple(
            context.at(each, "count", text=has if len(groups) == 1 else "")
            for each in groups
            if context.wrote(each, "count")
        ),
        help=f"use a /{longest} or larger",
    )
