"""Capacity models in the tables of `clusterprint machines`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterprint.catalog import CapacityModel

# One letter for each capacity model, in the order of the column.
_LETTERS: dict[CapacityModel, str] = {
    "on_demand": "D",
    "spot": "S",
    "flex_start": "F",
    "reservation": "R",
}
LEGEND = "Sold: D on demand, S spot, F flex-start, R reservation; - not available, ? unknown."


def letters(capacity: Mapping[CapacityModel, bool | None]) -> str:
    """One letter for each capacity model: `-SFR`."""
    sold = ((letter, capacity[model]) for model, letter in _LETTERS.items())
    return "".join("?" if each is None else letter if each else "-" for letter, each in sold)


def in_words(capacity: Mapping[CapacityModel, bool | None]) -> str:
    """Every capacity model, and whether machines are sold under it."""
    return ", ".join(
        f"{model}: {'not known' if sold is None else 'yes' if sold else 'no'}"
        for model, sold in capacity.items()
    )
