"""Decisions that all kinds share: where the state lies, and which cluster a resource belongs to."""

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import names, state_names
from clusterprint.derived.state import state_root
from clusterprint.plan.state import StatePlan


def resolve_state(blueprint: Blueprint, stack: str) -> StatePlan:
    """Each stack has a folder of its own."""
    return StatePlan(
        bucket=blueprint.backend.gcs.bucket, prefix=state_names.state_folder(state_root(blueprint), stack)
    )


def state_address(state: StatePlan) -> str:
    """Where to find the state."""
    return state_names.state_address(state.bucket, state.prefix)


def resolve_labels(blueprint: Blueprint) -> dict[str, str]:
    """The user's labels, and one that says which cluster a resource belongs to."""
    return {**blueprint.labels, names.CLUSTER_LABEL: blueprint.name}
