"""Which versions of the simulated providers a stack requires."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clusterprint_simcloud import facts

#: By the name of a provider, in order: as a key.
Versions = tuple[tuple[str, str], ...]


def required(folder: Path) -> Versions:
    """Those that there is a table of, or of their major version; else the one in `facts.SERVED` has to do."""
    found = {}
    for file in sorted(folder.glob("*.tf.json")):
        for name, said in _providers(file).items():
            version = said.get("version") if isinstance(said, dict) else None
            table = _table(name, str(version))
            if table and table != facts.SERVED[name]:
                found[name] = table
    return tuple(sorted(found.items()))


def _table(name: str, version: str) -> str:
    """The version of a table: this one, or the only one of another major than what is served by default."""
    known = facts.versions(name)
    if version in known:
        return version
    major, served = version.partition(".")[0], facts.SERVED.get(name, "").partition(".")[0]
    return next((each for each in known if each.partition(".")[0] == major != served), "")


def _providers(file: Path) -> dict[str, Any]:
    try:
        said = json.loads(file.read_text("utf-8"))["terraform"]["required_providers"]
    except (ValueError, KeyError, TypeError):
        return {}  # Terraform has better words for it
    return said if isinstance(said, dict) else {}
