"""Dashboards and alerts of Cloud Monitoring."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.data_google_monitoring_notification_channel import (
    DataGoogleMonitoringNotificationChannel,
)
from cdktf_cdktf_provider_google.monitoring_alert_policy import (
    MonitoringAlertPolicy,
    MonitoringAlertPolicyAlertStrategy,
    MonitoringAlertPolicyAlertStrategyNotificationRateLimit,
    MonitoringAlertPolicyConditions,
    MonitoringAlertPolicyConditionsConditionAbsent,
    MonitoringAlertPolicyConditionsConditionAbsentAggregations,
    MonitoringAlertPolicyConditionsConditionMatchedLog,
    MonitoringAlertPolicyConditionsConditionPrometheusQueryLanguage,
    MonitoringAlertPolicyConditionsConditionThreshold,
    MonitoringAlertPolicyConditionsConditionThresholdAggregations,
    MonitoringAlertPolicyDocumentation,
)
from cdktf_cdktf_provider_google.monitoring_dashboard import MonitoringDashboard
from constructs import Construct

from clusterprint.plan.monitoring import (
    AlertPlan,
    ChartPlan,
    DashboardPlan,
    FoundPlan,
    LoggedPlan,
    MissingPlan,
    MonitoringPlan,
    QueryPlan,
    SeriesPlan,
    ThresholdPlan,
)
from stacks.addresses import addressed
from stacks.literal_plan import as_json


class Monitoring(Construct):
    """Dashboards and alert policies; the channels that hear of incidents are there already."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: MonitoringPlan,
    ) -> None:
        super().__init__(scope, id)
        for each in plan.dashboards:
            page = as_json(_page(each))
            addressed(MonitoringDashboard(self, each.key, dashboard_json=page, depends_on=list(after)))
        # Looked up when Terraform plans: a name that nobody has, or several have, is an error there.
        channels = [
            addressed(
                DataGoogleMonitoringNotificationChannel(
                    self, f"channel-{key}", display_name=name, depends_on=list(after)
                )
            ).name
            for key, name in plan.channels.items()
        ]
        for alert in plan.alerts:
            addressed(_policy(self, alert, labels, channels, after))


def _page(plan: DashboardPlan) -> dict[str, Any]:
    """As the API of dashboards takes it; whole numbers of 64 bits are texts there."""
    return {
        "displayName": plan.name,
        "gridLayout": {"columns": str(plan.columns), "widgets": [_widget(each) for each in plan.charts]},
    }


def _widget(plan: ChartPlan) -> dict[str, Any]:
    return {
        "title": plan.title,
        "xyChart": {
            "dataSets": [{"plotType": "LINE", "timeSeriesQuery": _values(plan.values)}],
            "yAxis": {"label": plan.unit, "scale": "LINEAR"},
        },
    }


def _values(plan: SeriesPlan | QueryPlan) -> dict[str, Any]:
    if isinstance(plan, QueryPlan):
        return {"prometheusQuery": plan.text}
    return {
        "timeSeriesFilter": {
            "filter": plan.filter,
            "aggregation": {
                "alignmentPeriod": f"{plan.period_seconds}s",
                "perSeriesAligner": plan.aligner,
                "crossSeriesReducer": plan.reducer,
                "groupByFields": list(plan.group_by),
            },
        }
    }


def _policy(
    scope: Construct,
    plan: AlertPlan,
    labels: dict[str, str],
    channels: list[str],
    after: Sequence[TerraformResource],
) -> MonitoringAlertPolicy:
    return MonitoringAlertPolicy(
        scope,
        plan.key,
        display_name=plan.name,
        combiner="OR",
        conditions=[_condition(plan)],
        notification_channels=channels or None,
        alert_strategy=MonitoringAlertPolicyAlertStrategy(
            auto_close=f"{plan.close_seconds}s",
            notification_rate_limit=MonitoringAlertPolicyAlertStrategyNotificationRateLimit(
                period=f"{plan.when.silent_seconds}s"
            )
            if isinstance(plan.when, LoggedPlan)
            else None,
        ),
        documentation=MonitoringAlertPolicyDocumentation(content=plan.text, mime_type="text/markdown"),
        user_labels=labels,
        depends_on=list(after),
    )


def _condition(plan: AlertPlan) -> MonitoringAlertPolicyConditions:
    when, name = plan.when, plan.condition
    if isinstance(when, LoggedPlan):
        return MonitoringAlertPolicyConditions(
            display_name=name,
            condition_matched_log=MonitoringAlertPolicyConditionsConditionMatchedLog(filter=when.filter),
        )
    if isinstance(when, FoundPlan):
        return MonitoringAlertPolicyConditions(
            display_name=name,
            condition_prometheus_query_language=MonitoringAlertPolicyConditionsConditionPrometheusQueryLanguage(
                query=when.query.text,
                duration=f"{when.seconds}s",
                # In a project whose first cluster this is there are no values yet.
                disable_metric_validation=True,
            ),
        )
    return _of_series(name, when)


def _of_series(name: str, when: MissingPlan | ThresholdPlan) -> MonitoringAlertPolicyConditions:
    if isinstance(when, MissingPlan):
        return MonitoringAlertPolicyConditions(
            display_name=name,
            condition_absent=MonitoringAlertPolicyConditionsConditionAbsent(
                filter=when.series.filter,
                duration=f"{when.seconds}s",
                aggregations=[
                    MonitoringAlertPolicyConditionsConditionAbsentAggregations(
                        alignment_period=f"{when.series.period_seconds}s",
                        per_series_aligner=when.series.aligner,
                        cross_series_reducer=when.series.reducer,
                        group_by_fields=list(when.series.group_by),
                    )
                ],
            ),
        )
    return MonitoringAlertPolicyConditions(
        display_name=name,
        condition_threshold=MonitoringAlertPolicyConditionsConditionThreshold(
            filter=when.series.filter,
            comparison=when.comparison,
            threshold_value=when.threshold,
            duration=f"{when.seconds}s",
            aggregations=[
                MonitoringAlertPolicyConditionsConditionThresholdAggregations(
                    alignment_period=f"{when.series.period_seconds}s",
                    per_series_aligner=when.series.aligner,
                    cross_series_reducer=when.series.reducer,
                    group_by_fields=list(when.series.group_by),
                )
            ],
        ),
    )
