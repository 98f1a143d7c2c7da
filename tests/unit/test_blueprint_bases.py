"""Types of blueprints declare their parts where rules look, so that no kind goes unchecked."""

from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_type_hints

import pytest
from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint import KINDS, blueprint_type
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.google import GoogleBlueprint, NetworkedBlueprint
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.networks import ExistingGoogleNetwork, GoogleNetwork
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Zone
from clusterprint.blueprint.vm_network import Network

# What a zone is told by, also where more is said about it.
ZONE = get_args(Zone)[1]


def fields(part: type[Part]) -> dict[str, tuple[Any, ...]]:
    """The fields of a part, each with the types that its own is made of, and what is said about these."""
    hints = get_type_hints(part, include_extras=True)
    return {name: tuple(_within(hints[name])) for name in part.__struct_fields__}


def _within(hint: Any) -> Iterator[Any]:
    yield hint
    for each in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        yield from _within(each)


def networks(blueprint: type[Blueprint]) -> set[str]:
    """The fields of a blueprint that hold a network of Google Cloud."""
    return {
        name
        for name, types in fields(blueprint).items()
        if any(isinstance(each, type) and issubclass(each, GoogleNetwork) for each in types)
    }


def undeclared(blueprint: type[Blueprint]) -> set[str]:
    """The reason why rules about networks miss a blueprint: another word, or another type."""
    declared = {"network"} if issubclass(blueprint, NetworkedBlueprint) else set()
    return networks(blueprint) ^ declared


def elsewhere(group: type[Part]) -> set[str]:
    """The fields that say by another word where the machines of a group are."""
    return {name for name, types in fields(group).items() if ZONE in types} - {"zone", "zones"}


def descendants(part: type[Part]) -> Iterator[type[Part]]:
    for each in part.__subclasses__():
        yield each
        yield from descendants(each)


@pytest.fixture(autouse=True)
def _all_kinds() -> None:
    for kind in KINDS:
        blueprint_type(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_network_of_a_kind_is_where_rules_look(kind: str) -> None:
    assert undeclared(blueprint_type(kind)) == set()


def test_most_kinds_have_one() -> None:
    assert {kind for kind in KINDS if networks(blueprint_type(kind))} == {"vm", "gke", "ray"}


class Undeclared(GoogleBlueprint, frozen=True, kw_only=True):
    """A kind with a network that no rule would see."""

    network: Annotated[Network, Meta(description="The network.")] = Network()


class Renamed(NetworkedBlueprint, frozen=True, kw_only=True):
    """A kind that calls its network otherwise."""

    vpc: Annotated[Network, Meta(description="The network.")] | UnsetType = UNSET


def test_what_no_rule_would_see_is_found() -> None:
    assert undeclared(Undeclared) == {"network"}
    assert undeclared(Renamed) == {"vpc", "network"}


def test_networks_have_what_rules_ask_them() -> None:
    ours = [each for each in descendants(GoogleNetwork) if each.__module__.startswith("clusterprint.")]
    assert len(ours) > 1
    assert all("existing" in each.__struct_fields__ for each in ours)
    there = [*descendants(ExistingGoogleNetwork)]
    assert len(there) > 1
    assert all({"name", "project"} <= set(each.__struct_fields__) for each in there)


class Placed(MachineGroup, frozen=True, kw_only=True):
    """A group that calls its zones otherwise."""

    places: tuple[Zone, ...] = ()
    location: Annotated[Zone, Meta(description="Where they are.")] | UnsetType = UNSET


def test_zones_of_machines_are_where_rules_look() -> None:
    groups = [each for each in descendants(MachineGroup) if each.__module__.startswith("clusterprint.")]
    assert len(groups) > 2
    assert {each.__name__: found for each in groups if (found := elsewhere(each))} == {}
    assert elsewhere(Placed) == {"places", "location"}
