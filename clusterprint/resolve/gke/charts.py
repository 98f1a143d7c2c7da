"""Helm charts: of components, and of the user's own."""

import math
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart, ChartValues, HelmChart
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.derived.chart_values import chart_values, laid_over
from clusterprint.derived.texts import text_of
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.kubernetes import ChartPlan

# Images are pulled, certificates are made, web hooks get ready: in seconds.
_WAIT_SECONDS = 900

# MiB for controllers that hold all pods and nodes in memory, for each node and at least, as measured by XPK
# (AI-Hypercomputer/xpk, PR 502); where their charts have it, and how much these give them in any cluster.
_MIB_OF_NODE, _LEAST_MIB = 1.2, 4096
_MEMORY_AT = {"kueue": (("controllerManager", "manager"), 512), "jobset": (("controller",), 4096)}

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


def sized_for(cluster: GkeClusterPlan, chart: ChartPlan) -> ChartPlan:
    """A controller of jobs with the memory that so many nodes take; the user's values win."""
    place, usual = _MEMORY_AT.get(chart.key, ((), 0))
    asked = math.ceil(_MIB_OF_NODE * sum(pool.max_nodes for pool in (*cluster.pools, *cluster.created)))
    limit = max(_LEAST_MIB, asked)
    if not place or limit <= usual:
        return chart
    values: dict[str, object] = {
        "resources": {"limits": {"memory": f"{limit}Mi"}, "requests": {"memory": f"{max(512, asked)}Mi"}}
    }
    for key in reversed(place):
        values = {key: values}
    return msgspec.structs.replace(chart, values=laid_over(values, chart.values))


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
