"""Names that are derived from that of the cluster."""

from collections.abc import Iterable, Iterator

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived.name_forms import Derived
from clusterprint.rules import _state
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding


def not_allowed(derived: Iterable[Derived], blueprint: Blueprint, context: Context) -> Iterator[Finding]:
    """A finding for each derived name that the cloud refuses, that of the state's object included."""
    for each in derived:
        name = each.make(blueprint.name)
        if not each.form.accepts(name):
            yield Finding(
                f"the {each.what} would be called {name}, which is not allowed",
                context.at(blueprint, "name"),
                help=f"up to {each.form.longest} {each.form.words} are allowed",
            )
    yield from _state.name_too_long(blueprint, context)
