"""Rates, times and shipped scenarios of the model, each with its source, from `facts.json`."""

from pathlib import Path
from typing import Any

import msgspec


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rate, a time or a simplification. `says` is a sentence of every answer; no source: an assumption."""

    value: float | str
    says: str
    source: str
    date: str
    unit: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    facts: dict[str, Known]
    scenarios: dict[str, dict[str, Any]]


_READ = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=_Table)
FACTS = _READ.facts
#: The shipped scenarios by name, as files would have them.
SCENARIOS = {name: {"scenario": "v1", **data} for name, data in _READ.scenarios.items()}
