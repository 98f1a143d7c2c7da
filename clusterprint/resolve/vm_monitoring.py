"""Decisions about what Cloud Monitoring draws and watches of the nodes of `kind: vm`."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import durations, names, node_groups, node_system
from clusterprint.plan.monitoring import (
    AlertPlan,
    Aligner,
    ChartPlan,
    DashboardPlan,
    MissingPlan,
    MonitoringPlan,
    Reducer,
    SeriesPlan,
    ThresholdPlan,
)
from clusterprint.resolve.monitoring import CLOSE_SECONDS, COLUMNS, resolve_channels

# Machines are told by the label that all of a cluster's have, and shown by their names.
_NAME = "metadata.system_labels.name"
# What Compute Engine and the Ops Agent send comes once a minute.
_PERIOD = 60
# GPUs are measured in whole percent, so anything at all is more.
_IDLE = 0.01
# Longer than the pause between two steps of most programs.
_IDLE_PERIOD = 300


def resolve_monitoring(blueprint: VmBlueprint) -> MonitoringPlan | None:
    """Dashboards and alerts; None without either."""
    asked = blueprint.monitoring
    if not asked.dashboard and asked.alerts is UNSET:
        return None
    page = DashboardPlan(
        key="dashboard",
        name=names.monitoring_page(blueprint.name),
        columns=COLUMNS,
        charts=tuple(_charts(blueprint)),
    )
    return MonitoringPlan(
        dashboards=(page,) if asked.dashboard else (),
        alerts=tuple(_alerts(blueprint)),
        channels={} if asked.alerts is UNSET else resolve_channels(asked.alerts.notification_channels),
    )


def _has_agent(blueprint: VmBlueprint) -> bool:
    groups = node_groups.groups(blueprint)
    return blueprint.monitoring.ops_agent and any(map(node_system.takes_packages, groups))


def _has_gpus(blueprint: VmBlueprint) -> bool:
    return any(map(node_groups.has_gpus, node_groups.groups(blueprint)))


def _series(  # noqa: PLR0913 - values are told by that much
    blueprint: VmBlueprint,
    metric: str,
    aligner: Aligner = "ALIGN_MEAN",
    reducer: Reducer = "REDUCE_MEAN",
    *,
    only: str = "",
    period: int = _PERIOD,
    by: tuple[str, ...] = (),
) -> SeriesPlan:
    """Values of the cluster's machines; `only` is one more condition, `by` tells lines of a node apart."""
    wanted = (
        f'metric.type="{metric}"',
        'resource.type="gce_instance"',
        f'metadata.user_labels."{names.CLUSTER_LABEL}"="{blueprint.name}"',
        *((only,) if only else ()),
    )
    return SeriesPlan(
        filter=" AND ".join(wanted),
        aligner=aligner,
        reducer=reducer,
        group_by=(_NAME, *by),
        period_seconds=period,
    )


def _charts(blueprint: VmBlueprint) -> Iterator[ChartPlan]:
    """Each title with its unit and metric; what only the Ops Agent sends comes with it."""
    if _has_agent(blueprint) and _has_gpus(blueprint):
        yield ChartPlan(
            title="GPUs: utilization",
            unit="%",
            values=_series(blueprint, "agent.googleapis.com/gpu/utilization"),
        )
        yield ChartPlan(
            title="GPUs: memory used",
            unit="bytes",
            values=_series(
                blueprint,
                "agent.googleapis.com/gpu/memory/bytes_used",
                reducer="REDUCE_SUM",
                only='metric.labels.memory_state="used"',
            ),
        )
    engine = "compute.googleapis.com/instance"
    yield ChartPlan(
        title="CPU: utilization", unit="share", values=_series(blueprint, f"{engine}/cpu/utilization")
    )
    for title, metric in (
        ("Network: received", "network/received_bytes_count"),
        ("Network: sent", "network/sent_bytes_count"),
        ("Disks: read", "disk/read_bytes_count"),
        ("Disks: written", "disk/write_bytes_count"),
    ):
        values = _series(blueprint, f"{engine}/{metric}", "ALIGN_RATE", "REDUCE_SUM")
        yield ChartPlan(title=title, unit="bytes/s", values=values)
    if _has_agent(blueprint):
        for title, metric in (("Memory: utilization", "memory"), ("Disks: highest utilization", "disk")):
            yield ChartPlan(title=title, unit="%", values=_used(blueprint, metric))


def _used(blueprint: VmBlueprint, what: str, by: tuple[str, ...] = ()) -> SeriesPlan:
    """How much of the memory or of a disk is used, in percent."""
    metric = f"agent.googleapis.com/{what}/percent_used"
    return _series(blueprint, metric, reducer="REDUCE_MAX", only='metric.labels.state="used"', by=by)


def _alerts(blueprint: VmBlueprint) -> Iterator[AlertPlan]:
    asked = blueprint.monitoring.alerts
    if asked is UNSET:
        return
    name = blueprint.name
    yield AlertPlan(
        key="node-silent",
        name=f"{name}: a node is silent",
        condition=f"nothing of a node for {asked.node_silent}",
        when=MissingPlan(
            series=_series(blueprint, "compute.googleapis.com/instance/cpu/utilization"),
            seconds=durations.seconds(asked.node_silent),
        ),
        close_seconds=CLOSE_SECONDS,
        text=f"A machine of cluster {name} was stopped, preempted or deleted, or its host is broken.",
    )
    if asked.gpu_idle is not UNSET:
        yield AlertPlan(
            key="gpu-idle",
            name=f"{name}: GPUs are idle",
            condition=f"all GPUs of a node idle for {asked.gpu_idle}",
            when=ThresholdPlan(
                series=_series(
                    blueprint,
                    "agent.googleapis.com/gpu/utilization",
                    reducer="REDUCE_MAX",
                    period=_IDLE_PERIOD,
                ),
                comparison="COMPARISON_LT",
                threshold=_IDLE,
                seconds=durations.seconds(asked.gpu_idle),
            ),
            close_seconds=CLOSE_SECONDS,
            text=f"A machine of cluster {name} costs, and nothing runs on its GPUs.",
        )
    if asked.disk_used_percent is not UNSET:
        yield AlertPlan(
            key="disk-full",
            name=f"{name}: a disk is nearly full",
            condition=f"a disk of a node above {asked.disk_used_percent} percent",
            when=ThresholdPlan(
                series=_used(blueprint, "disk", by=("metric.labels.device",)),
                comparison="COMPARISON_GT",
                threshold=float(asked.disk_used_percent),
                seconds=_IDLE_PERIOD,
            ),
            close_seconds=CLOSE_SECONDS,
            text=f"A disk of a machine of cluster {name} is nearly full: what writes to it fails soon.",
        )
