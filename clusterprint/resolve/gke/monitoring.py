"""Decisions about what Cloud Monitoring draws and watches of a cluster of GKE."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.monitoring import ClusterAlerts
from clusterprint.derived import cluster_pages, durations, existing, names, node_pools
from clusterprint.plan.monitoring import (
    AlertPlan,
    ChartPlan,
    DashboardPlan,
    FoundPlan,
    LoggedPlan,
    MonitoringPlan,
    QueryPlan,
)
from clusterprint.resolve.monitoring import CLOSE_SECONDS, COLUMNS, resolve_channels

# For what says by itself over which time it looks.
_AT_ONCE = 60
# A GPU that fails writes the same again and again.
_SILENT = 60 * 60


def resolve_pages(blueprint: KubernetesBlueprint) -> MonitoringPlan | None:
    """Dashboards and alerts; None without either, or in a cluster of others."""
    asked = blueprint.cluster.monitoring
    if existing.is_existing(blueprint) or (not asked.dashboards and asked.alerts is UNSET):
        return None
    return MonitoringPlan(
        dashboards=tuple(_page(blueprint, each) for each in dict.fromkeys(asked.dashboards)),
        alerts=() if asked.alerts is UNSET else tuple(_alerts(blueprint, asked.alerts)),
        channels={} if asked.alerts is UNSET else resolve_channels(asked.alerts.notification_channels),
    )


def _page(blueprint: KubernetesBlueprint, page: str) -> DashboardPlan:
    """Charts without metrics that this cluster has are left out."""
    return DashboardPlan(
        key=f"dashboard-{page}",
        name=f"{names.monitoring_page(blueprint.name)}: {cluster_pages.pages()[page].title}",
        columns=COLUMNS,
        charts=tuple(
            ChartPlan(title=each.title, unit=each.unit, values=_query(blueprint, each.query))
            for each in cluster_pages.drawn(blueprint, page)
        ),
    )


def _query(blueprint: KubernetesBlueprint, query: str) -> QueryPlan:
    return QueryPlan(text=cluster_pages.of_cluster(query, blueprint))


def _alerts(blueprint: KubernetesBlueprint, asked: ClusterAlerts) -> Iterator[AlertPlan]:
    name = blueprint.name
    for key, alert in cluster_pages.asked_alerts(asked).items():
        said = getattr(asked, key)
        is_time = isinstance(said, str)
        query = alert.query.replace("%d", str(said))
        yield AlertPlan(
            key=key.replace("_", "-"),
            name=f"{name}: {alert.title}",
            condition=f"{alert.title}, for {said}" if is_time else alert.title,
            when=FoundPlan(
                query=_query(blueprint, query), seconds=durations.seconds(said) if is_time else _AT_ONCE
            ),
            close_seconds=CLOSE_SECONDS,
            text=f"Cluster {name}: {alert.title}. {alert.text}",
        )
    if asked.gpu_errors:
        yield _gpu_errors(blueprint)


def _gpu_errors(blueprint: KubernetesBlueprint) -> AlertPlan:
    """GKE measures no errors of GPUs; what the driver says goes to the log of the node."""
    place = (
        'resource.type="k8s_node"',
        f'resource.labels.project_id="{blueprint.project}"',
        f'resource.labels.location="{node_pools.location(blueprint)}"',
        f'resource.labels.cluster_name="{blueprint.name}"',
        '"NVRM: Xid"',
    )
    return AlertPlan(
        key="gpu-errors",
        name=f"{blueprint.name}: a GPU reports an error",
        condition="an Xid in the log of a node",
        when=LoggedPlan(filter=" AND ".join(place), silent_seconds=_SILENT),
        close_seconds=CLOSE_SECONDS,
        text=f"The driver of a GPU of cluster {blueprint.name} reports an error (Xid). Its number, "
        "in the entry of the log, says whether a program, the driver or the machine is at fault.",
    )
