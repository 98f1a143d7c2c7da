"""List prices. They say which of two blueprints costs more, not what will be on the bill.

Clouds price machines by their parts, so the tables have one entry for each family: what one of its sizes
costs in each region, and the `rates` of its parts, by which all other sizes follow. What a cloud does not
list (contracts, sizes on request) has no entry, and nothing is made up for it.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, TypeAlias, get_args

import msgspec

from clusterprint.capacity_models import CapacityModel
from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.machines import machine
from clusterprint.catalog.tpus import tpu_type_of

#: What lists have prices for. A reservation costs what its machines cost on demand, used or not.
ListedModel: TypeAlias = Literal["on_demand", "spot", "flex_start"]
LISTED_MODELS: tuple[ListedModel, ...] = get_args(ListedModel)


class Price(NamedTuple):
    """The price of one unit in US dollars per hour, from the list of one region at the date.

    `region` is the one that was asked for, if the list has it, and else the first one of the list.
    """

    usd: float
    region: str
    model: ListedModel
    sources: tuple[str, ...]
    date: str
    notes: str = ""


class _Entry(Fact, frozen=True, kw_only=True):
    """US dollars per hour in each region, by model; the first region stands in for those that are missing.

    `sources_of` are the sources of a list that has not those of the whole entry.
    """

    on_demand: dict[str, float] = {}  # noqa: RUF012 - msgspec copies them
    spot: dict[str, float] = {}  # noqa: RUF012
    flex_start: dict[str, float] = {}  # noqa: RUF012
    sources_of: dict[ListedModel, tuple[str, ...]] = {}  # noqa: RUF012


class _Rates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gpu: float = 0
    vcpu: float = 0
    gb: float = 0


class _Family(_Entry, frozen=True, kw_only=True):
    """The prices are of `size`; other sizes cost so much more or less as their parts do by `rates`.

    `billed_vcpus` are those of sizes that share a core. `unlisted` sizes have no price.
    """

    size: str = ""
    rates: _Rates | None = None
    billed_vcpus: dict[str, float] = {}  # noqa: RUF012 - msgspec copies it
    unlisted: tuple[str, ...] = ()


class _Parts(NamedTuple):
    gpus: float
    vcpus: float
    memory_gb: float


class _Google(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    machines: dict[str, _Family]
    gpus: dict[str, _Entry]
    tpu_chips: dict[str, _Entry]


class _Azure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    machines: dict[str, _Family]


@cache
def _google() -> _Google:
    return read_table("google/prices", _Google)


@cache
def _azure() -> _Azure:
    return read_table("azure/prices", _Azure)


def hourly_price(name: str, model: CapacityModel, region: str = "") -> Price | None:
    """The list price of one machine, with what comes with it; None where there is none.

    `name` is a machine type of Google Cloud, with GPUs, TPU chips or neither, or a size of Azure.
    """
    if tpu := tpu_type_of(name):
        chips = tpu.machines[name].chips
        return _times(tpu_chip_hourly_price(tpu.name, model, region), chips)
    if name.startswith("Standard_"):
        return _azure_price(name, model, region)
    return _google_price(name, model, region)


def gpu_hourly_price(accelerator_type: str, model: CapacityModel, region: str = "") -> Price | None:
    """The price of one GPU without a machine around it; None where there is none."""
    return _price(_google().gpus.get(accelerator_type), model, region)


def tpu_chip_hourly_price(tpu: str, model: CapacityModel, region: str = "") -> Price | None:
    """The price of one TPU chip with its share of the machine; None where there is none."""
    return _price(_google().tpu_chips.get(tpu), model, region)


# ---- families and sizes


def _google_price(name: str, model: CapacityModel, region: str) -> Price | None:
    family = _google_family(name)
    parts = _google_parts(name, family)
    if family is None or parts is None or name in family.unlisted:
        return None
    reference = _google_parts(family.size, family)
    return _times(_price(family, model, region), _ratio(family.rates, parts, reference))


def _google_family(name: str) -> _Family | None:
    # Custom types cost more than their parts do elsewhere, and nothing is listed for left out local SSDs.
    if "custom" in name or name.endswith("-nolssd"):
        return None
    families = _google().machines
    return next((found for key, found in families.items() if name == key or name.startswith(f"{key}-")), None)


def _google_parts(name: str, family: _Family | None) -> _Parts | None:
    found = machine(name)
    if found is None or family is None:
        return None
    return _Parts(found.gpus, family.billed_vcpus.get(name, found.vcpus), found.memory_gb)


def _azure_price(name: str, model: CapacityModel, region: str) -> Price | None:
    families = _azure().machines
    if exact := families.get(name):
        return _price(exact, model, region)
    for key, family in families.items():
        if vcpus := _azure_vcpus(key, name):
            reference = _azure_vcpus(key, family.size)
            return _times(_price(family, model, region), vcpus / reference)
    return None


def _azure_vcpus(pattern: str, name: str) -> int:
    """The number that a name has where the pattern has a star; 0 if they do not fit together."""
    if "*" not in pattern:
        return 0
    found = re.fullmatch(re.escape(pattern).replace(r"\*", "([1-9][0-9]{0,3})"), name)
    return int(found.group(1)) if found else 0


def _ratio(rates: _Rates | None, parts: _Parts, reference: _Parts | None) -> float:
    if rates is None or reference is None:
        return 1
    return _weight(rates, parts) / _weight(rates, reference)


def _weight(rates: _Rates, parts: _Parts) -> float:
    return rates.gpu * parts.gpus + rates.vcpu * parts.vcpus + rates.gb * parts.memory_gb


# ---- regions and models


def _price(entry: _Entry | None, model: CapacityModel, region: str) -> Price | None:
    listed: ListedModel = "on_demand" if model == "reservation" else model
    figures: Mapping[str, float] = getattr(entry, listed) if entry else {}
    if entry is None or not figures:
        return None
    at = region if region in figures else next(iter(figures))
    sources = entry.sources_of.get(listed, entry.sources)
    return Price(figures[at], at, listed, sources, entry.date, entry.notes)


def _times(price: Price | None, number: float) -> Price | None:
    return price._replace(usd=round(price.usd * number, 6)) if price else None
