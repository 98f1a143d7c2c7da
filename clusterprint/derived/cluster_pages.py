"""Dashboards and alerts of GKE clusters in Cloud Monitoring, and which of their metrics a cluster has.

Pages and alerts are in a file beside this module, as PromQL; the braces behind a metric are filled with the
cluster that it is about.
"""

import re
from functools import cache
from pathlib import Path

import msgspec
from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.monitoring import ClusterAlerts
from clusterprint.catalog import Metric, MetricComponent
from clusterprint.derived import existing, node_pools, volume_mounts

_METRIC = re.compile(r"([a-zA-Z_:][\w:]*)\{([^}]*)\}")
_FILE = Path(__file__).with_suffix(".json")

# What comes through Google's Prometheus.
_BY_PROMETHEUS = frozenset({"gpu_metrics", "jobset_metrics", "pod", "kueue", "tpu_provisioner"})


class Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing of what a query gives."""

    title: str
    unit: str
    query: str


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Drawings about one topic."""

    title: str
    charts: tuple[Chart, ...]


class Alert(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An incident for each line that the query gives, and what it means."""

    title: str
    query: str
    text: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pages: dict[str, Page]
    alerts: dict[str, Alert]


@cache
def _file() -> _File:
    return msgspec.json.decode(_FILE.read_bytes(), type=_File)


def pages() -> dict[str, Page]:
    """All pages, by what blueprints call them."""
    return _file().pages


def alerts() -> dict[str, Alert]:
    """All alerts about values, by the field of a blueprint that asks for one."""
    return _file().alerts


def asked_alerts(alerts_: ClusterAlerts) -> dict[str, Alert]:
    """Those that a blueprint asks for."""
    said = {name: getattr(alerts_, name) for name in alerts()}
    return {name: alerts()[name] for name, value in said.items() if value is not UNSET and value is not False}


def metrics_of(query: str) -> dict[str, Metric]:
    """The metrics that a query names. Raises KeyError for one that the catalog does not know."""
    return {name: catalog.metrics()[name] for name, _ in _METRIC.findall(query)}


def of_cluster(query: str, blueprint: KubernetesBlueprint) -> str:
    """The query about this cluster only."""

    def filled(found: re.Match[str]) -> str:
        name, said = found.groups()
        own = ",".join(
            f'{key}="{value}"' for key, value in _labels(blueprint, catalog.metrics()[name]).items()
        )
        return f"{name}{{{','.join(filter(None, (own, said)))}}}"

    return _METRIC.sub(filled, query)


def _labels(blueprint: KubernetesBlueprint, metric: Metric) -> dict[str, str]:
    """By which values of a metric are told to be of this cluster."""
    prometheus = metric.resource == "prometheus_target"
    return {
        "monitored_resource": metric.resource,
        "project_id": blueprint.project,
        "location": node_pools.location(blueprint),
        "cluster" if prometheus else "cluster_name": blueprint.name,
    }


def missing(blueprint: KubernetesBlueprint, query: str) -> tuple[MetricComponent, ...]:
    """The components that a query needs and the cluster lacks."""
    wanted = dict.fromkeys(each.component for each in metrics_of(query).values())
    return tuple(each for each in wanted if not _is_there(blueprint, each))


def drawn(blueprint: KubernetesBlueprint, page: str) -> tuple[Chart, ...]:
    """The charts of a page for which there are values in this cluster."""
    return tuple(each for each in pages()[page].charts if not missing(blueprint, each.query))


def scraped(blueprint: KubernetesBlueprint) -> frozenset[MetricComponent]:
    """The programs in the cluster that are asked for their values, because somebody wants to see them."""
    monitoring = blueprint.cluster.monitoring
    if existing.is_existing(blueprint):
        return frozenset()
    queries = [each.query for page in monitoring.dashboards for each in drawn(blueprint, page)]
    if monitoring.alerts is not UNSET:
        queries += [each.query for each in asked_alerts(monitoring.alerts).values()]
    wanted = {each.component for query in queries for each in metrics_of(query).values()}
    return frozenset(each for each in wanted & {"kueue", "tpu_provisioner"} if _is_there(blueprint, each))


def has_gpu_metrics(blueprint: KubernetesBlueprint) -> bool:
    """Whether GPUs are measured: by default, where there are any."""
    said = blueprint.cluster.monitoring.gpu_metrics
    return has_gpus(blueprint) if said is UNSET else said


def has_jobset_metrics(blueprint: KubernetesBlueprint) -> bool:
    """Whether JobSets are counted: by default, where JobSet is installed."""
    said = blueprint.cluster.monitoring.jobset_metrics
    jobset = isinstance(blueprint, GkeBlueprint) and blueprint.workloads.jobset is not UNSET
    return jobset if said is UNSET else said


def has_gpus(blueprint: KubernetesBlueprint) -> bool:
    """Whether any pool has GPUs."""
    return any(map(node_pools.has_gpus, blueprint.node_pools))


def needs_prometheus(component: MetricComponent) -> bool:
    """Whether values come through Google's Prometheus."""
    return component in _BY_PROMETHEUS


def _is_there(blueprint: KubernetesBlueprint, component: MetricComponent) -> bool:
    monitoring = blueprint.cluster.monitoring
    if needs_prometheus(component) and not monitoring.managed_prometheus:
        return False
    workloads = blueprint.workloads if isinstance(blueprint, GkeBlueprint) else None
    provisioner = workloads.tpu_provisioner if workloads else UNSET
    there: dict[MetricComponent, bool] = {
        "system": True,
        "tpus": provisioner is not UNSET or any(map(node_pools.tpu, blueprint.node_pools)),
        "gcs_fuse": blueprint.cluster.addons.gcs_fuse or volume_mounts.uses_driver(blueprint, "gcs_fuse"),
        "gpu_metrics": has_gpu_metrics(blueprint) and has_gpus(blueprint),
        "jobset_metrics": has_jobset_metrics(blueprint),
        "pod": "pod" in monitoring.extra_metrics,
        "kueue": workloads is not None and workloads.kueue is not UNSET,
        "tpu_provisioner": provisioner is not UNSET and provisioner.controller == "slice_provisioner",
    }
    return there[component]
