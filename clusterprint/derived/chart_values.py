"""Values of Helm charts in YAML, as plain data."""

from collections.abc import Mapping
from typing import Any

from clusterprint.derived.kubernetes_objects import NotReadable, read_values


def chart_values(text: str) -> dict[str, Any]:
    """The values of a text. Raises NotReadable."""
    values = read_values(text)
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise NotReadable("holds something that is not a map of values")
    return values


def laid_over(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Values with others over them, as Helm does it: maps are merged, everything else is replaced."""
    made = dict(values)
    for key, value in over.items():
        below = made.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            made[key] = laid_over(below, value)
        else:
            made[key] = value
    return made
