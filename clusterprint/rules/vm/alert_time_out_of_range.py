from clusterprint.blueprint.vm_monitoring import Alerts
from clusterprint.rules.google._alert_times import out_of_range
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# In seconds.
_SHORTEST = {"node_silent": 120, "gpu_idle": 60}


@rule("VM182", severity=Severity.ERROR, source="Google Cloud: AlertPolicy, duration of conditions", firm=True)
def alert_time_out_of_range(alerts: Alerts, context: Context) -> Iterator[Finding]:
    """An alert has a time that Cloud Monitoring does not accept.

    Times are whole minutes, at most 23 hours; missing values are noticed after two minutes at the earliest.
    Anything else is refused when the alert is created.

    Write a time within these limits.
    """
    yield from out_of_range(alerts, context, _SHORTEST)
