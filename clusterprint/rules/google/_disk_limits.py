"""Limits of IOPS and throughput of a disk type."""

import math
from typing import NamedTuple

from clusterprint import catalog
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator


class Asked(NamedTuple):
    """A disk, or a class of them, and its type; `gib` is its size, 0 where it may be any."""

    part: GoogleVolume | DiskClass
    type: str
    known: catalog.DiskType
    gib: int = 0

    @property
    def size(self) -> int:
        """The size, or the nearest available one: another rule reports invalid ones."""
        return self.known.sizes.nearest(self.gib) if self.gib else 0


def bought(asked: Asked, context: Context) -> Iterator[Finding]:
    """Purchased performance beyond the limits of a disk type.

    Without `iops`, throughput is only held to what there is beside any IOPS of its size: which of them such
    a disk gets is not documented for every type.
    """
    iops = asked.part.iops
    if asked.known.iops and iops is not UNSET:
        yield from _beyond(asked, "iops", _by_size(asked, asked.known.iops, iops, context), context)
    if asked.known.mibps and asked.part.throughput_mbps is not UNSET:
        # Beside IOPS that there are not, it is held to the nearest: that is what the other finding asks for.
        beside = 0 if iops is UNSET else asked.known.iops_of(asked.size).nearest(iops)
        there_is = _by_iops(asked, asked.known.mibps, asked.part.throughput_mbps, beside, context)
        yield from _beyond(asked, "throughput_mbps", there_is, context)


class _Sold(NamedTuple):
    """The limit, its condition (` of 100 GiB`), and the other way to get as much; empty texts for none."""

    range: catalog.Range
    of: str = ""
    also: tuple[Label, ...] = ()
    other: str = ""


def _beyond(asked: Asked, field: str, sold: _Sold, context: Context) -> Iterator[Finding]:
    wanted, (least, most) = getattr(asked.part, field), sold.range
    if not least <= wanted <= most:
        there_is = f"{least:,} to {most:,}" if least < most else f"{most:,}"
        yield Finding(
            f"a {asked.type}{sold.of} has {there_is} for {field}, not {wanted:,}",
            context.at(asked.part, field),
            also=sold.also,
            help=f"write {sold.range.nearest(wanted)}{sold.other}",
        )


def _by_size(asked: Asked, limits: catalog.Limits, wanted: int, context: Context) -> _Sold:
    """The performance of the size; the other way is the smallest size that has as much."""
    known, size, part = asked.known, asked.size, asked.part
    sold_for = known.mibps_of if limits is known.mibps else known.iops_of
    sold = sold_for(size)
    if sold == sold_for():
        return _Sold(sold)
    wrote = isinstance(part, GoogleVolume) and part.size_gb is not UNSET
    also = (context.at(part, "size_gb", text="its size"),) if wrote else ()
    larger = math.ceil(wanted / limits.max_per_gib) if limits.max_per_gib and wanted <= limits.max else 0
    other = f", or size_gb: {larger}" if size < larger <= known.max_gb else ""
    return _Sold(sold, f" of {size:,} GiB", also, other)


def _by_iops(asked: Asked, limits: catalog.Limits, wanted: int, iops: int, context: Context) -> _Sold:
    """The limit at so many IOPS; the other way is the nearest IOPS that have as much."""
    known, size = asked.known, asked.size
    sold, alone = known.mibps_of(size, iops), known.mibps_of(size)
    if sold == alone:
        return _by_size(asked, limits, wanted, context)
    fewest, most = math.ceil(wanted / limits.max_per_iops), math.floor(wanted / limits.min_per_iops)
    found = catalog.Range(fewest, most).nearest(iops)
    is_there = alone.nearest(wanted) == wanted and known.iops_of(size).nearest(found) == found
    also = (context.at(asked.part, "iops", text="these"),)
    return _Sold(sold, f" with {iops:,} IOPS", also, f", or iops: {found}" if is_there else "")
