"""The components that a blueprint installs in its cluster."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint, is_ray
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.blueprint.part import Part
from clusterprint.catalog import Component, components

# What runs Ray clusters, unless Google's add-on does.
RAY_OPERATOR = "kuberay-operator"


def on_offer() -> Iterator[tuple[str, Component]]:
    """The components that a field of `workloads` asks for, by name."""
    return ((name, each) for name, each in components().items() if each.workload)


def request(workloads: Workloads, component: Component) -> Part | UnsetType:
    """The settings of a component in a blueprint; UNSET if it is not requested."""
    said = _said(workloads, component.workload)
    beside = said is UNSET and component.asked_beside
    return _said(workloads, component.asked_beside) if beside else said


def _said(workloads: Workloads, fields: str) -> Part | UnsetType:
    said: Part | UnsetType = workloads
    for field in fields.split("."):
        said = getattr(said, field, UNSET)
    return said


def requested(workloads: Workloads) -> Iterator[tuple[str, Component, Part]]:
    """The components that a blueprint asks for, by name, with what it says of each."""
    for name, component in on_offer():
        said = request(workloads, component)
        if said is not UNSET:
            yield name, component, said


def installed(blueprint: KubernetesBlueprint) -> Iterator[tuple[str, Component, Part]]:
    """The components that a blueprint of any kind installs, by name, with what it says of each."""
    if isinstance(blueprint, GkeBlueprint):
        yield from requested(blueprint.workloads)
    elif is_ray(blueprint) and blueprint.ray.operator == "chart":
        yield RAY_OPERATOR, catalog.component(RAY_OPERATOR), blueprint.ray.operator_chart
