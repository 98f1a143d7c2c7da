"""Places in the state bucket of everything of a cluster."""

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import state_names


def state_root(blueprint: Blueprint) -> str:
    """The folder in the state bucket below which everything of this cluster is."""
    prefix = blueprint.backend.gcs.prefix
    return state_names.default_state_prefix(blueprint.name) if prefix is UNSET else prefix
