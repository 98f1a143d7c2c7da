from clusterprint.blueprint.gke.monitoring import ClusterAlerts
from clusterprint.rules.google._alert_times import out_of_range
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_TIMES = ("node_not_ready", "pods_unschedulable", "gpu_idle", "queue_stuck")


@rule(
    "GKE451", severity=Severity.ERROR, source="Google Cloud: AlertPolicy, duration of conditions", firm=True
)
def cluster_alert_time_out_of_range(alerts: ClusterAlerts, context: Context) -> Iterator[Finding]:
    """An alert has a time that Cloud Monitoring does not accept.

    Times are whole minutes, at most 23 hours. Anything else is refused when the alert is created.

    Write a time within these limits.
    """
    yield from out_of_range(alerts, context, dict.fromkeys(_TIMES, 60))
