"""List prices as `clusterprint machines` shows them: US dollars per hour in the first region of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The title of the column of the list, and how to read it.
TITLE = "USD/H"
LEGEND = """\
USD/H: list price per hour, on demand / spot, in one region; - no list price.
`clusterprint machines NAME` shows region, date and source.
"""

# From here on one decimal is three digits.
_ONE_DECIMAL = 9.995


def cell(name: str) -> str:
    """The price in the list, to three digits: `29.4/14.4`."""
    from clusterprint import catalog

    found = catalog.hourly_price(name, "on_demand"), catalog.hourly_price(name, "spot")
    return "/".join(_short(price.usd) if price else "-" for price in found) if any(found) else "-"


def _short(usd: float) -> str:
    return f"{usd:.2f}" if usd < _ONE_DECIMAL else f"{usd:.1f}"


def facts(name: str) -> Iterable[tuple[str, str]]:
    """One line for each list that has a price, each with its title."""
    from clusterprint import catalog

    for model in catalog.LISTED_MODELS:
        if price := catalog.hourly_price(name, model):
            seen = f"noted {price.date} from {' and '.join(map(_dated, price.sources))}"
            yield "price", f"{model} {price.usd:,.2f} USD per hour in {price.region}, {seen}"
    priced = catalog.hourly_price(name, "on_demand")  # whatever has a price has that one
    if priced and priced.notes:
        yield "price", priced.notes


def _dated(key: str) -> str:
    from clusterprint import catalog

    found = catalog.source(key)
    return f"{key} ({found.date})" if found else key


def data(name: str) -> dict[str, Any]:
    """For each capacity model what is known of the price, or null."""
    from clusterprint import catalog

    return {
        model: price._asdict() if (price := catalog.hourly_price(name, model)) else None
        for model in catalog.CAPACITY_MODELS
    }
