"""Step 3: Blueprint -> Plan. Every decision is made here; nothing after it decides anything."""

from importlib import import_module
from pathlib import Path
from typing import Any

from clusterprint.blueprint.blueprint import Blueprint

_RESOLVERS = {"vm": "clusterprint.resolve.vm"}


def resolve(blueprint: Blueprint, folder: Path) -> Any:
    """Make the plan of a blueprint that validated without errors.

    `folder` is the blueprint's own folder; the files that the blueprint names are read from it.
    """
    module = import_module(_RESOLVERS[blueprint.kind])  # type: ignore[attr-defined]
    return module.resolve(blueprint, folder)
