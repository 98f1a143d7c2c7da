"""Helpers of rules about lists of ranges, of every kind.

Ranges come as they were written, each with the place that it stands at.
"""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network

from clusterprint.diagnostic import Label
from clusterprint.rules import _ranges
from clusterprint.rules.rule import Finding

Written = Iterable[tuple[str, Label]]


def repeated(written: Written) -> Iterator[Finding]:
    """The ranges inside another one of the list; of two equal ones, the second."""
    readable = [(cidr, place) for text, place in written if (cidr := _ranges.read(text))]
    first: dict[IPv4Network, int] = {}
    for index, (cidr, _) in enumerate(readable):
        first.setdefault(cidr, index)
    lengths = sorted({cidr.prefixlen for cidr in first})
    for index, (cidr, place) in enumerate(readable):
        around = (cidr.supernet(new_prefix=length) for length in lengths if length <= cidr.prefixlen)
        positions = [first[each] for each in around if first.get(each, index) != index]
        if positions:
            other, there = readable[min(positions)]
            same = cidr == other
            yield Finding(
                f"{cidr} is listed twice" if same else f"{cidr} is inside {other}",
                place,
                also=(there._replace(text="first listed here" if same else "contains it"),),
                help="keep the intended one",
            )


def open_to_internet(written: Written, what: str, help: str) -> Iterator[Finding]:
    """The ranges so large that they open something to the internet."""
    for text, place in written:
        # With bits behind the prefix, the prefix is likely the mistake, and has been reported.
        cidr = _ranges.read(text) if _ranges.is_canonical(text) else None
        if cidr and cidr.prefixlen < _ranges.SHORTEST_PLACE and not _ranges.is_private(cidr):
            whole = "the whole internet" if cidr.prefixlen == 0 else f"{cidr.num_addresses:,} addresses"
            yield Finding(f"{text} opens {what} to {whole}", place, help=help)
