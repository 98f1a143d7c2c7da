"""The name of the object that Terraform keeps a state in."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import state_names
from clusterprint.derived.name_forms import OBJECT
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding


def name_too_long(blueprint: Blueprint, context: Context) -> Iterator[Finding]:
    """Say that the state prefix makes the name of an object too long, if it does."""
    backend = blueprint.backend.gcs
    if backend.prefix is UNSET:
        return
    state = state_names.longest_state_object(context.blueprint.kind, blueprint.name, backend.prefix)
    if not OBJECT.accepts(state):
        spare = len(state.encode()) - OBJECT.longest
        yield Finding(
            f"the name of the state object would have {len(state.encode())} characters,"
            f" more than {OBJECT.longest}",
            context.at(backend, "prefix"),
            help=f"shorten the prefix by {spare} or more",
        )
