"""Managed file systems and shares of Azure: tiers, how large each may be, its subnet, and its price."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.storage import PricedByGib, Sized


class AzureLustreTier(Sized, frozen=True, kw_only=True):
    """A performance tier of Azure Managed Lustre; `api` is what the provider calls it."""

    api: str


class _Subnets(Fact, frozen=True, kw_only=True):
    """The prefix length of the smallest subnet, by the largest file system that it holds, in GiB."""

    prefixes: dict[int, int]


class _Storage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lustre: dict[str, AzureLustreTier]
    lustre_subnets: _Subnets
    files: dict[str, PricedByGib]


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


def azure_files(tier: str, copies: str) -> PricedByGib | None:
    """What shares cost by their size, in an account of a tier and replication (`Premium`, `LRS`).

    None where no list is known, also for those that cost what is in them.
    """
    return _table().files.get(f"{tier} {copies}")
