from collections.abc import Iterator
from ipaddress import IPv4Network

from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import clusters
from clusterprint.rules.fleet._made import Made, made
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
    ranges = [each for _, several in known(clusters(fleet), made) for each in several]
    first: dict[tuple[str, IPv4Network], Made] = {}
    for each in ranges:
        first.setdefault((each.cluster.home, each.cidr), each)
    taken = [each.cidr for each in ranges]
    for each in ranges:
        other = _around(each, first)
        if other is not None:
            own = f"{each.field}: {_free_range(taken, min(each.cidr.prefixlen, _USUAL_PREFIX))}"
            way_out = own if each.is_written else f"network: {{{own}}}"
            yield Finding(
                f"{each.cidr} overlaps {other.cidr} of cluster {other.cluster.name}"
                f" in the same {each.cluster.home.partition(' ')[0]}",
                each.place(),
                also=(other.place(f"cluster {other.cluster.name}"),),
                help=f"give it a range of its own, for example {way_out}",
            )


def _around(inner: Made, first: dict[tuple[str, IPv4Network], Made]) -> Made | None:
    """A range of another cluster there that contains this one (of two that overlap, one does)."""
    cluster, cidr, _ = inner
    for length in range(cidr.prefixlen, -1, -1):
        other = first.get((cluster.home, cidr.supernet(new_prefix=length)))
        if other and other.cluster is not cluster and not other.cluster.is_twin_of(cluster):
            return other
    return None


def _free_range(taken: list[IPv4Network], length: int) -> str:
    """A part of 10.0.0.0/8 of this prefix length that no cluster has; it is taken then."""
    for part in IPv4Network("10.0.0.0/8").subnets(new_prefix=max(length, 8)):
        if not any(part.overlaps(each) for each in taken):
            taken.append(part)
            return str(part)
    return f"A.B.C.D/{length}"
