from collections import defaultdict
from ipaddress import IPv4Network

from clusterprint.rules._groups import also
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import clusters
from clusterprint.rules.fleet._subnet_ranges import Made, made
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule

# The range that is proposed is a part of this one, of this prefix length.
_PRIVATE = IPv4Network("10.0.0.0/8")
_PROPOSED = 14


@rule("FL005", severity=Severity.NOTE)
def ranges_overlap(fleet: Fleet) -> Iterator[Finding]:
    ranges = [each for _, several in known(clusters(fleet), made) for each in several]
    overlapping = {id(each) for group in _groups(ranges) for each in group}
    found: dict[tuple[str, str], Made] = {}
    for each in ranges:
        if id(each) in overlapping:
            found.setdefault((each.cluster.name, each.cluster.home), each)
    if found:
        first, *others = found.values()
        free = _free_range(ranges)
        yield Finding(
            f"the networks of {len(found):,} clusters have overlapping ranges"
            " and cannot be connected with each other",
            first.place(f"{first.cidr} of cluster {first.cluster.name}"),
            also=also([each.place(f"{each.cidr} of cluster {each.cluster.name}") for each in others]),
            help="leave them unless they have to be connected: another range recreates the network,"
            " and with it a GKE cluster and all that runs in it; give a new cluster a range of its own"
            + (f", for example network: {{cidr: {free}}}" if free else ""),
        )


def _groups(ranges: list[Made]) -> Iterator[list[Made]]:
    """Ranges that overlap and belong to several clusters of one home, in the order of the ranges.

    Of two ranges that overlap, one contains the other; so, sorted by their beginning and the larger one
    first, those inside a range follow it.
    """
    homes: dict[str, list[Made]] = defaultdict(list)
    for each in ranges:
        homes[each.cluster.home].append(each)
    for there in homes.values():
        group: list[Made] = []
        for each in sorted(there, key=lambda each: each.cidr):
            if group and each.cidr.network_address > group[0].cidr.broadcast_address:
                yield from _of_several(group)
                group = []
            group.append(each)
        yield from _of_several(group)


def _of_several(group: list[Made]) -> Iterator[list[Made]]:
    if len({each.cluster.name for each in group}) > 1:
        yield group


def _free_range(ranges: list[Made]) -> str:
    """A part of the private range that no cluster touches; nothing if there is none."""
    taken: set[int] = set()
    size = 1 << (32 - _PROPOSED)
    for each in ranges:
        if each.cidr.overlaps(_PRIVATE):
            low = max(int(each.cidr.network_address), int(_PRIVATE.network_address))
            high = min(int(each.cidr.broadcast_address), int(_PRIVATE.broadcast_address))
            taken.update(range(low // size, high // size + 1))
    parts = _PRIVATE.subnets(new_prefix=_PROPOSED)
    return next((str(each) for each in parts if int(each.network_address) // size not in taken), "")
