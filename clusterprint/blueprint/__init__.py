"""The types of blueprints. They are the single source of `schema/`.

A kind is one class; `KINDS` is the list of them. Importing this package imports no kind.
"""

from importlib import import_module

from clusterprint.blueprint.blueprint import Blueprint

# kind -> "module:class", so that checking one kind never loads the others
KINDS = {
    "vm": "clusterprint.blueprint.vm:VmBlueprint",
    "gke": "clusterprint.blueprint.gke.blueprint:GkeBlueprint",
    "ray": "clusterprint.blueprint.ray.blueprint:RayBlueprint",
    "vmss": "clusterprint.blueprint.vmss:VmssBlueprint",
}


def blueprint_type(kind: str) -> type[Blueprint]:
    """The type of a kind; KeyError if there is none."""
    module, _, name = KINDS[kind].partition(":")
    found: type[Blueprint] = getattr(import_module(module), name)
    return found


def lineage(kind: str) -> tuple[str, ...]:
    """The names of the types that a blueprint of a kind has, from `Blueprint` to its own."""
    types = reversed(blueprint_type(kind).__mro__)
    return tuple(each.__name__ for each in types if issubclass(each, Blueprint))
