"""Offers for a need. Each has a validated blueprint, including warnings."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clusterprint import catalog
from clusterprint.catalog import CapacityModel, Price
from clusterprint.choose.blueprint import Wanted, written
from clusterprint.choose.candidates import Candidate, candidates
from clusterprint.choose.need import Need, check
from clusterprint.derived.machines import Machines, price_of
from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.load import load_text
from clusterprint.validate import validate

# What is asked for first: what is there when one wants it, and stays.
_ORDER: tuple[CapacityModel, ...] = ("on_demand", "flex_start", "spot", "reservation")
_TRIED = 4
# Where to begin for machines of which neither zones nor prices are known: most sizes come here first.
_LARGEST = {"google": "us-central1", "azure": "eastus"}


class Offer(NamedTuple):
    """Machines that there are. `blueprint` is empty if none validates, and `limits` say why."""

    candidate: Candidate
    kind: str
    capacity: CapacityModel
    region: str
    zones: tuple[str, ...]
    prices: dict[CapacityModel, Price | None]
    limits: tuple[str, ...]
    blueprint: str

    @property
    def accelerators(self) -> int:
        """How many there are on all machines: as many as are needed, or a few more."""
        return self.candidate.each * self.candidate.nodes

    @property
    def per_hour(self) -> float | None:
        """The list price of all machines, None if there is none."""
        price = self.prices[self.capacity]
        return round(price.usd * self.candidate.nodes, 2) if price else None


def offers(need: Need) -> list[Offer]:
    """All offers for a need, the best first. Raises UsageError for what the catalog does not know.

    Better is what has a blueprint, a fabric if there are several machines, is there when one wants it, and
    costs less.
    """
    check(need)
    found = [offer for each in candidates(need) for offer in _offers_of(each, need)]
    return sorted(found, key=_rank)


def _rank(offer: Offer) -> tuple[object, ...]:
    no_fabric = offer.candidate.nodes > 1 and not offer.candidate.fabric
    price = offer.per_hour
    return (
        not offer.blueprint,
        no_fabric,
        offer.candidate.slices,
        _ORDER.index(offer.capacity),
        price is None,
        price or 0,
        offer.candidate.nodes,
        offer.candidate.machine_type,
    )


def _offers_of(candidate: Candidate, need: Need) -> Iterator[Offer]:
    kind = need.kind or candidate.kinds[0]
    elsewhere = need.region and (need.region in catalog.azure_locations()) != (kind == "vmss")
    if kind not in candidate.kinds or elsewhere:
        return
    sold = [model for model in _ORDER if candidate.capacity.get(model)]
    models = [each for each in sold if need.capacity in (None, each)]
    region = _region(candidate, kind, need, models[0] if models else "on_demand")
    zones = tuple(each for each in candidate.zones or () if catalog.region_of(each) == region)
    if not models or (candidate.zones is not None and not zones):
        return
    prices = {model: price_of(_machines(candidate, model, region)) for model in catalog.CAPACITY_MODELS}
    capacity = models[0]
    blueprint, problems = _tried(candidate, kind, capacity, region, zones)
    limits = (*candidate.notes, *problems)
    yield Offer(candidate, kind, capacity, region, zones, prices, limits, blueprint)


def _region(candidate: Candidate, kind: str, need: Need, model: CapacityModel) -> str:
    """The region that is asked for, else the cheapest one that has the machines, else a large one."""
    if need.region:
        return need.region
    if candidate.zones:
        regions = dict.fromkeys(map(catalog.region_of, candidate.zones))
        return min(regions, key=lambda each: _cost(candidate, model, each))
    price = price_of(_machines(candidate, model, ""))
    return price.region if price else _LARGEST["azure" if kind == "vmss" else "google"]


def _cost(candidate: Candidate, model: CapacityModel, region: str) -> float:
    price = price_of(_machines(candidate, model, region))
    return price.usd if price and price.region == region else float("inf")


def _machines(candidate: Candidate, model: CapacityModel, region: str) -> Machines:
    type_, count = candidate.attached or ("", 0)
    return Machines("", "", candidate.machine_type, model, 1, 1, type_, count, region)


def _tried(
    candidate: Candidate, kind: str, capacity: CapacityModel, region: str, zones: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """A blueprint that validates, warnings and all; without one, what is wrong with the last."""
    problems: list[Diagnostic] = []
    for zone in (zones or catalog.zone_names(region) or ("",))[:_TRIED]:
        family = candidate.accelerator.removeprefix("TPU ").split(" ")[0].lower()
        text = written(
            Wanted(
                kind=kind,
                name=f"{family}-{candidate.each * candidate.nodes}",
                machine_type=candidate.machine_type,
                nodes=candidate.nodes,
                capacity=capacity,
                region=region,
                zone=zone,
                attached=candidate.attached,
                topology=candidate.topology,
                slices=candidate.slices,
                receives=kind == "vm" and candidate.nodes > 1 and "TCPX" in candidate.fabric,
            )
        )
        problems = _problems(text)
        if not problems:
            return text, ()
    return "", tuple(
        dict.fromkeys(f"{each.code}: {each.message}; {each.help}".rstrip("; ") for each in problems)
    )


def _problems(text: str) -> list[Diagnostic]:
    loaded = load_text(text.encode(), "-", Path())
    found = list(loaded.diagnostics)
    if loaded.document is not None:
        found += validate(loaded.document).diagnostics
    return [each for each in found if each.severity is not Severity.NOTE]
