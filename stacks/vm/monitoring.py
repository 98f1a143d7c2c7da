"""What Cloud Monitoring draws and watches of the nodes."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.data_google_monitoring_notification_channel import (
    DataGoogleMonitoringNotificationChannel,
)
from cdktf_cdktf_provider_google.monitoring_alert_policy import (
    MonitoringAlertPolicy,
    MonitoringAlertPolicyAlertStrategy,
    MonitoringAlertPolicyConditions,
    MonitoringAlertPolicyConditionsConditionAbsent,
    MonitoringAlertPolicyConditionsConditionAbsentAggregations,
    MonitoringAlertPolicyConditionsConditionThreshold,
    MonitoringAlertPolicyConditionsConditionThresholdAggregations,
    MonitoringAlertPolicyDocumentation,
)
from cdktf_cdktf_provider_google.monitoring_dashboard import MonitoringDashboard
from constructs import Construct

from clusterprint.plan.vm_monitoring import AlertPlan, ChartPlan, DashboardPlan, MonitoringPlan
from stacks.addresses import addressed
from stacks.literals import as_json


class Monitoring(Construct):
    """A dashboard and alert policies; the channels that hear of incidents are there already."""

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
        if plan.dashboard:
            addressed(
                MonitoringDashboard(
                    self,
                    "dashboard",
                    dashboard_json=as_json(_page(plan.dashboard)),
                    depends_on=list(after),
                )
            )
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
    series = plan.series
    return {
        "title": plan.title,
        "xyChart": {
            "dataSets": [
                {
                    "plotType": "LINE",
                    "timeSeriesQuery": {
                        "timeSeriesFilter": {
                            "filter": series.filter,
                            "aggregation": {
                                "alignmentPeriod": f"{series.period_seconds}s",
                                "perSeriesAligner": series.aligner,
                                "crossSeriesReducer": series.reducer,
                                "groupByFields": list(series.group_by),
                            },
                        }
                    },
                }
            ],
            "yAxis": {"label": plan.unit, "scale": "LINEAR"},
        },
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
        alert_strategy=MonitoringAlertPolicyAlertStrategy(auto_close=f"{plan.close_seconds}s"),
        documentation=MonitoringAlertPolicyDocumentation(content=plan.text, mime_type="text/markdown"),
        user_labels=labels,
        depends_on=list(after),
    )


def _condition(plan: AlertPlan) -> MonitoringAlertPolicyConditions:
    if not plan.comparison:
        return MonitoringAlertPolicyConditions(
            display_name=plan.condition,
            condition_absent=MonitoringAlertPolicyConditionsConditionAbsent(
                filter=plan.series.filter,
                duration=f"{plan.seconds}s",
                aggregations=[
                    MonitoringAlertPolicyConditionsConditionAbsentAggregations(
                        alignment_period=f"{plan.series.period_seconds}s",
                        per_series_aligner=plan.series.aligner,
                        cross_series_reducer=plan.series.reducer,
                        group_by_fields=list(plan.series.group_by),
                    )
                ],
            ),
        )
    return MonitoringAlertPolicyConditions(
        display_name=plan.condition,
        condition_threshold=MonitoringAlertPolicyConditionsConditionThreshold(
            filter=plan.series.filter,
            comparison=plan.comparison,
            threshold_value=plan.threshold,
            duration=f"{plan.seconds}s",
            aggregations=[
                MonitoringAlertPolicyConditionsConditionThresholdAggregations(
                    alignment_period=f"{plan.series.period_seconds}s",
                    per_series_aligner=plan.series.aligner,
                    cross_series_reducer=plan.series.reducer,
                    group_by_fields=list(plan.series.group_by),
                )
            ],
        ),
    )
