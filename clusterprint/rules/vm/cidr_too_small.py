from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import ranges
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import counted


@rule(
    "VM037", severity=Severity.ERROR, source="Google Cloud VPC: unusable addresses in IPv4 subnets", firm=True
)
def cidr_too_small(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """The cluster's range has too few addresses for its nodes.

    Half of the range is the nodes' primary subnet, and each GPU network gets a sixteenth of the other
    half. Google keeps four addresses of every subnet, and makes none smaller than a /29.

    Use a larger range (a smaller number after the slash), or fewer nodes.
    """
    nodes, network = blueprint.nodes, blueprint.network
    cidr = _ranges.read(network.cidr)
    gpu_networks = _ranges.gpu_networks(nodes.machine_type)
    if cidr is None or gpu_networks is None:
        return
    if network.existing is not UNSET and not gpu_networks:
        return  # no subnet is made from it
    longest = ranges.longest_prefix_for(nodes.count, gpu_networks)
    if cidr.prefixlen <= longest:
        return
    has = counted(nodes.count, "node")
    also = f" with {gpu_networks} GPU networks" if gpu_networks else ""
    yield Finding(
        f"{cidr} is too small for {has}{also}",
        context.at(network, "cidr"),
        also=(context.at(nodes, "count", text=has),) if context.wrote(nodes, "count") else (),
        help=f"use a /{longest} or larger",
    )
