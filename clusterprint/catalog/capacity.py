"""Capacity models: how machines are paid for and obtained."""

from typing import Literal, TypeAlias

CapacityModel: TypeAlias = Literal["on_demand", "spot", "flex_start", "reservation"]
CAPACITY_MODELS: tuple[CapacityModel, ...] = ("on_demand", "spot", "flex_start", "reservation")
