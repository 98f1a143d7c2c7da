"""What Cloud Monitoring draws and watches of a cluster of `kind: vm`."""

from typing import Literal

from clusterprint.plan.slice import Slice

Aligner = Literal["ALIGN_MEAN", "ALIGN_RATE", "ALIGN_MAX", "ALIGN_COUNT"]
Reducer = Literal["REDUCE_MEAN", "REDUCE_SUM", "REDUCE_MAX"]


class SeriesPlan(Slice, frozen=True, kw_only=True):
    """Measured values: which, how those of a `period_seconds` become one, and how those of a node do."""

    filter: str
    aligner: Aligner
    reducer: Reducer
    group_by: tuple[str, ...]
    period_seconds: int


class ChartPlan(Slice, frozen=True, kw_only=True):
    """A drawing of values over time, a line for each node."""

    title: str
    unit: str
    series: SeriesPlan


class DashboardPlan(Slice, frozen=True, kw_only=True):
    """A page of charts, in `columns` columns."""

    name: str
    columns: int
    charts: tuple[ChartPlan, ...]


class AlertPlan(Slice, frozen=True, kw_only=True):
    """An incident begins when values are missing, or beyond a threshold, for `seconds`.

    `comparison` is empty where it is about missing values; `threshold` plays no part then. It ends by itself
    `close_seconds` after the last value.
    """

    key: str
    name: str
    condition: str
    series: SeriesPlan
    comparison: Literal["", "COMPARISON_LT", "COMPARISON_GT"]
    threshold: float
    seconds: int
    close_seconds: int
    text: str


class MonitoringPlan(Slice, frozen=True, kw_only=True):
    """A dashboard, if one is asked for, and alerts, of which `channels` hear: their display names, by key."""

    dashboard: DashboardPlan | None
    alerts: tuple[AlertPlan, ...]
    channels: dict[str, str]
