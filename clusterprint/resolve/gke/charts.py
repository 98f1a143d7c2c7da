"""Helm charts: of components, and of the user's own."""

from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart, ChartValues, HelmChart
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.derived.chart_values import chart_values, laid_over
from clusterprint.derived.texts import text_of
from clusterprint.plan.kubernetes import ChartPlan

# Images are pulled, certificates are made, web hooks get ready: in seconds.
_WAIT_SECONDS = 900

# One on each node, and a few besides: no cluster has more nodes than that.
_MOST_CRITICAL_PODS = 20_000


def resolve_charts(workloads: Workloads, folder: Path) -> tuple[ChartPlan, ...]:
    """The components that are nothing but a chart, in the order of the catalog."""
    return tuple(
        resolve_chart(name, said, folder)
        for name, _, said in components.requested(workloads)
        if type(said) is Chart
    )


def resolve_chart(name: str, given: Chart, folder: Path) -> ChartPlan:
    """The chart of a component: the pinned one, or what is given in its place."""
    plan = pinned_chart(name)
    repository, chart = (plan.repository, plan.chart) if given.location is UNSET else _located(given.location)
    return msgspec.structs.replace(
        plan,
        repository=repository,
        chart=chart,
        version=plan.version if given.version is UNSET else given.version,
        values=laid_over(plan.values, _values(given.values, folder)),
    )


def pinned_chart(name: str) -> ChartPlan:
    """The chart of a component as the catalog has it."""
    pinned = catalog.component(name)
    repository, chart = _located(pinned.location)
    return ChartPlan(
        key=name,
        name=name,
        namespace=pinned.namespace,
        repository=repository,
        chart=chart,
        version=pinned.version,
        values=pinned.values,
        wait_seconds=_WAIT_SECONDS,
        critical_pods=_MOST_CRITICAL_PODS if pinned.critical else 0,
        after=pinned.after,
    )


def resolve_own_charts(charts: tuple[HelmChart, ...], folder: Path) -> tuple[ChartPlan, ...]:
    """The charts that the blueprint brings."""
    return tuple(_own(each, folder) for each in charts)


def _own(given: HelmChart, folder: Path) -> ChartPlan:
    repository, chart = _located(given.location)
    return ChartPlan(
        key=given.name,
        name=given.name,
        namespace=given.namespace,
        repository=repository,
        chart=chart,
        version=given.version,
        values=_values(given.values, folder),
        wait_seconds=_WAIT_SECONDS,
        wait=given.wait,
    )


def _located(location: str) -> tuple[str, str]:
    """The repository and the name of a chart in it; a chart in a registry is a location by itself."""
    if location.startswith("oci://"):
        return "", location
    repository, _, chart = location.rpartition("/")
    return repository, chart


def _values(given: ChartValues | UnsetType, folder: Path) -> dict[str, object]:
    return {} if given is UNSET else chart_values(text_of(given, folder))
