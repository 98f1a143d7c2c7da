"""Quantities of Kubernetes, such as `500m`, `2Gi` and `1e3`."""

import re

_QUANTITY = re.compile(
    r"((?:\d{1,15}(?:\.\d{0,9})?|\.\d{1,9})(?:[eE][+-]?\d{1,2})?)([KMGTPE]i|[numkMGTPE]?)", re.ASCII
)
_UNITS = {
    **{letter: 1000.0 ** (power - 3) for power, letter in enumerate(("n", "u", "m", "", "k", *"MGTPE"))},
    **{f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTPE", 1)},
}


def amount(text: object) -> float:
    """A quantity as a number, as resource.Quantity of k8s.io/apimachinery reads it; 0 for what is none."""
    found = _QUANTITY.fullmatch(str(text))
    return float(found[1]) * _UNITS[found[2]] if found else 0.0
