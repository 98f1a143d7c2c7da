"""Dashboards and alerts of Cloud Monitoring for a cluster on Google Cloud."""

from typing import Literal

from clusterprint.plan.part import PlanPart

Aligner = Literal["ALIGN_MEAN", "ALIGN_RATE", "ALIGN_MAX", "ALIGN_COUNT"]
Reducer = Literal["REDUCE_MEAN", "REDUCE_SUM", "REDUCE_MAX"]


class SeriesPlan(PlanPart, frozen=True, kw_only=True):
    """Measured values: which, how those of a `period_seconds` become one, and how those of a node do."""

    filter: str
    aligner: Aligner
    reducer: Reducer
    group_by: tuple[str, ...]
    period_seconds: int


class QueryPlan(PlanPart, frozen=True, kw_only=True):
    """Measured values, as PromQL asks for them."""

    text: str


class ChartPlan(PlanPart, frozen=True, kw_only=True):
    """A drawing of values over time, a line for each of what they are about."""

    title: str
    unit: str
    values: SeriesPlan | QueryPlan


class DashboardPlan(PlanPart, frozen=True, kw_only=True):
    """A page of charts, in `columns` columns."""

    key: str
    name: str
    columns: int
    charts: tuple[ChartPlan, ...]


class MissingPlan(PlanPart, frozen=True, kw_only=True):
    """There are no values for so many seconds."""

    series: SeriesPlan
    seconds: int


class ThresholdPlan(PlanPart, frozen=True, kw_only=True):
    """Values are beyond a threshold for so many seconds."""

    series: SeriesPlan
    comparison: Literal["COMPARISON_LT", "COMPARISON_GT"]
    threshold: float
    seconds: int


class FoundPlan(PlanPart, frozen=True, kw_only=True):
    """A query finds something for so many seconds, of which there need not have been any value before."""

    query: QueryPlan
    seconds: int


class LoggedPlan(PlanPart, frozen=True, kw_only=True):
    """An entry of a log is one that `filter` is about; who hears of one hears of none for so many seconds."""

    filter: str
    silent_seconds: int


class AlertPlan(PlanPart, frozen=True, kw_only=True):
    """An incident begins `when` its condition holds, and ends `close_seconds` after the last value."""

    key: str
    name: str
    condition: str
    when: MissingPlan | ThresholdPlan | FoundPlan | LoggedPlan
    close_seconds: int
    text: str


class MonitoringPlan(PlanPart, frozen=True, kw_only=True):
    """Dashboards and alerts; `channels` (display names by key) are notified."""

    dashboards: tuple[DashboardPlan, ...]
    alerts: tuple[AlertPlan, ...]
    channels: dict[str, str]
