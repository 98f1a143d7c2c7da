"""Which components a blueprint asks for to be installed in its cluster."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.blueprint.part import Part
from clusterprint.catalog import Component, components


def on_offer() -> Iterator[tuple[str, Component]]:
    """The components that a field of `workloads` asks for, by name."""
    return ((name, each) for name, each in components().items() if each.workload)


def request(workloads: Workloads, component: Component) -> Part | UnsetType:
    """What a blueprint says of a component that is on offer; UNSET if it does not ask for it."""
    said: Part | UnsetType = workloads
    for field in component.workload.split("."):
        said = getattr(said, field, UNSET)
    return said


def requested(workloads: Workloads) -> Iterator[tuple[str, Component, Part]]:
    """The components that a blueprint asks for, by name, with what it says of each."""
    for name, component in on_offer():
        said = request(workloads, component)
        if said is not UNSET:
            yield name, component, said
