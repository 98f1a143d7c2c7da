from collections.abc import Iterator
from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint import node_pools
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import known
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters
from clusterprint.rules.rule import Finding, rule

# What is proposed has at least as many addresses as this.
_USUAL_PREFIX = 16


@rule(
    "FL005",
    severity=Severity.WARNING,
    source="Google Cloud: VPC network peering; Azure: virtual network peering",
)
def ranges_overlap(fleet: Fleet) -> Iterator[Finding]:
    """Two clusters in one project or subscription have networks with overlapping ranges.

    Each has networks of its own, so both work. But the two can never be peered, nor both be joined with
    one company network, and a range cannot be changed without making the network anew.

    Give each cluster a range of its own.
    """
    ranges = [(cluster, cidr) for cluster, cidr in known(clusters(fleet), _range) if cidr is not None]
    first: dict[tuple[str, IPv4Network], Cluster] = {}
    for cluster, cidr in ranges:
        first.setdefault((cluster.home, cidr), cluster)
    taken = {cidr for _, cidr in ranges}
    for cluster, cidr in ranges:
        other = _around(cluster, cidr, first)
        if other is not None:
            own = f"cidr: {_free_range(taken, min(cidr.prefixlen, _USUAL_PREFIX))}"
            way_out = own if _is_written(cluster) else f"network: {{{own}}}"
            yield Finding(
                f"{cidr} overlaps {other.member.blueprint.network.cidr} of cluster {other.name}"
                f" in the same {cluster.home.partition(' ')[0]}",
                _place(cluster),
                also=(_place(other, f"cluster {other.name}"),),
                help=f"give it a range of its own, for example {way_out}",
            )


def _is_written(cluster: Cluster) -> bool:
    return cluster.member.context.wrote(cluster.member.blueprint.network, "cidr")


def _place(cluster: Cluster, text: str = "") -> Label:
    """The range, or the name of the cluster where the range is the default one."""
    blueprint, context = cluster.member
    if _is_written(cluster):
        return context.at(blueprint.network, "cidr", text=text)
    return context.at(blueprint, "name", text=text)


def _range(cluster: Cluster) -> IPv4Network | None:
    """The range that a cluster makes subnets from, if it makes any."""
    blueprint = cluster.member.blueprint
    if isinstance(blueprint, VmssBlueprint):
        return _ranges.read(blueprint.network.cidr) if blueprint.network.existing is UNSET else None
    if not isinstance(blueprint, VmBlueprint | KubernetesBlueprint):
        return None
    if blueprint.network.existing is not UNSET and not _has_gpu_networks(blueprint):
        return None
    return _ranges.read(blueprint.network.cidr)


def _has_gpu_networks(blueprint: VmBlueprint | KubernetesBlueprint) -> bool:
    """Whether a cluster makes networks besides its primary one."""
    if isinstance(blueprint, VmBlueprint):
        return bool(_ranges.gpu_networks(blueprint.nodes.machine_type))
    return any(node_pools.layout(pool).nics > 1 for pool in blueprint.node_pools)


def _around(
    cluster: Cluster, cidr: IPv4Network, first: dict[tuple[str, IPv4Network], Cluster]
) -> Cluster | None:
    """Another cluster there whose range contains this one (of two ranges that overlap, one does)."""
    for length in range(cidr.prefixlen, -1, -1):
        other = first.get((cluster.home, cidr.supernet(new_prefix=length)))
        if other is not None and other is not cluster and not other.is_twin_of(cluster):
            return other
    return None


def _free_range(taken: set[IPv4Network], length: int) -> str:
    """A part of 10.0.0.0/8 of this prefix length that no cluster has; it is taken then."""
    for part in IPv4Network("10.0.0.0/8").subnets(new_prefix=max(length, 8)):
        if not any(part.overlaps(each) for each in taken):
            taken.add(part)
            return str(part)
    return f"A.B.C.D/{length}"
