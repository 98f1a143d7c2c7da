"""Capacity models: how machines are obtained and paid for."""

from typing import Literal, TypeAlias, get_args

CapacityModel: TypeAlias = Literal["on_demand", "spot", "flex_start", "reservation"]
CAPACITY_MODELS: tuple[CapacityModel, ...] = get_args(CapacityModel)
