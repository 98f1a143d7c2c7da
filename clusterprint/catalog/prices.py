"""Indicative prices. They say which of two blueprints costs more, not what will be on the bill."""

from functools import cache
from typing import NamedTuple

import msgspec

from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.machines import CapacityModel


class Price(NamedTuple):
    """What one piece costs: US dollars per hour, in one region, as seen in the sources at the date."""

    usd: float
    region: str
    sources: tuple[str, ...]
    date: str
    notes: str


class _PriceEntry(Fact, frozen=True, kw_only=True):
    region: str
    on_demand: float | None = None
    spot: float | None = None


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    machines: dict[str, _PriceEntry]
    gpus: dict[str, _PriceEntry]
    tpu_chips: dict[str, _PriceEntry]


@cache
def _table() -> _Table:
    return read_table("google/prices", _Table)


def hourly_price(machine: str, model: CapacityModel) -> Price | None:
    """The price of one machine with its GPUs; None where it is not known."""
    return _price(_table().machines.get(machine), model)


def gpu_hourly_price(accelerator_type: str, model: CapacityModel) -> Price | None:
    """The price of one GPU without a machine around it; None where it is not known."""
    return _price(_table().gpus.get(accelerator_type), model)


def tpu_chip_hourly_price(tpu: str, model: CapacityModel) -> Price | None:
    """The price of one TPU chip with its share of the machine; None where it is not known."""
    return _price(_table().tpu_chips.get(tpu), model)


def _price(entry: _PriceEntry | None, model: CapacityModel) -> Price | None:
    # flex-start and reservations are priced by contract: no source has them
    usd = {"on_demand": entry.on_demand, "spot": entry.spot}.get(model) if entry else None
    if entry is None or usd is None:
        return None
    return Price(usd, entry.region, entry.sources, entry.date, entry.notes)
