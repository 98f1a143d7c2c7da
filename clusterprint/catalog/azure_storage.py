"""Managed file systems and shares of Azure: tiers, how large each may be, its subnet, and its price."""

import math
from fractions import Fraction
from functools import cache

import msgspec

from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.storage import PricedByGib, Sized, Speed


class AzureLustreTier(Sized, frozen=True, kw_only=True):
    """A performance tier of Azure Managed Lustre; `api` is what the provider calls it."""

    api: str


class AzureFiles(PricedByGib, frozen=True, kw_only=True):
    """File shares that are paid for by their size, and whose performance follows from it.

    Each part of the throughput is rounded up; reads and writes share the sum of them.
    """

    max_gib: int
    base_mibps: int
    mibps_per_gib: tuple[Fraction, ...]
    base_iops: int
    iops_per_gib: int
    max_iops: int

    def speed(self, size_gib: int) -> Speed:
        """The performance of a share of a size."""
        mibps = self.base_mibps + sum(math.ceil(rate * size_gib) for rate in self.mibps_per_gib)
        iops = min(self.max_iops, self.base_iops + self.iops_per_gib * size_gib)
        mbps = mibps * (1 << 20) // 1_000_000
        return Speed(mbps, mbps, iops, iops)


class _Subnets(Fact, frozen=True, kw_only=True):
    """The prefix length of the smallest subnet, by the largest file system that it holds, in GiB."""

    prefixes: dict[int, int]


class _Storage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lustre: dict[str, AzureLustreTier]
    lustre_subnets: _Subnets
    files: dict[str, AzureFiles]


@cache
def _table() -> _Storage:
    return read_table("azure/storage", _Storage)


def azure_lustre_tier(mbps_per_tib: int) -> AzureLustreTier | None:
    """Find a performance tier of Azure Managed Lustre by its throughput."""
    return _table().lustre.get(str(mbps_per_tib))


def azure_lustre_tiers() -> tuple[int, ...]:
    """The throughputs that Azure Managed Lustre is sold with, in MB/s for each TiB, the least first."""
    return tuple(sorted(map(int, _table().lustre)))


def azure_lustre_subnet_prefix(size_gib: int) -> int:
    """The prefix length of the smallest subnet for a file system; for one still larger, of the largest."""
    prefixes = _table().lustre_subnets.prefixes
    return next((prefixes[most] for most in sorted(prefixes) if size_gib <= most), min(prefixes.values()))


def azure_files(tier: str, copies: str) -> AzureFiles | None:
    """Performance and cost of shares by size, in an account of a tier and replication (`Premium`, `LRS`).

    None where it is not known, also for those that cost what is in them.
    """
    return _table().files.get(f"{tier} {copies}")
