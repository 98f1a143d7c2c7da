"""Step 3: Blueprint -> Plans. Every decision is made here; nothing after it decides anything."""

from importlib import import_module
from pathlib import Path

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.plan.part import StackPlan


def resolve(blueprint: Blueprint, folder: Path) -> tuple[StackPlan, ...]:
    """Make the plans of a blueprint that validated without errors: one for each stack, in order.

    A stack comes after those that it depends on. `folder` is the blueprint's own folder; the files
    that the blueprint names are read from it.
    """
    # Each kind has a module of its name, with a `resolve`, so that one kind never loads the others.
    module = import_module(f"{__name__}.{blueprint.kind}")
    plans: tuple[StackPlan, ...] = module.resolve(blueprint, folder)
    return plans
