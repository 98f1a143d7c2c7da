"""Regions and zones of Google Cloud, and where accelerators were seen."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class ZoneList(Fact, frozen=True, kw_only=True):
    """Where something was seen: for each region, the last parts of the names of its zones."""

    zones: dict[str, tuple[str, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """Full names, such as `us-central1-f`."""
        return tuple(f"{region}-{letter}" for region, letters in self.zones.items() for letter in letters)


class _Regions(Fact, frozen=True, kw_only=True):
    names: tuple[str, ...]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    uncertain: str
    regions: _Regions
    lists: dict[str, ZoneList]


@cache
def _table() -> _Table:
    return read_table("google/zones", _Table)


def zone_list(key: str) -> ZoneList | None:
    """The list of a machine family, an accelerator type or a TPU type; None where none is known."""
    return _table().lists.get(key)


def why_zones_are_uncertain() -> str:
    """Why every list of zones is uncertain."""
    return _table().uncertain


def regions() -> tuple[str, ...]:
    """All known regions, sorted. New ones open about once a year: not being here proves nothing."""
    return _table().regions.names


def region_of(zone: str) -> str:
    """The region that a zone's name says: `us-central1` for `us-central1-f`."""
    return zone.rpartition("-")[0]
