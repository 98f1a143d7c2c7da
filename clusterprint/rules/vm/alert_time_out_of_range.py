from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm_monitoring import Alerts
from clusterprint.derived import durations
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

# The shortest of each, and the longest of both, in seconds; the API takes no more than 23 hours and a half.
_SHORTEST = {"node_silent": 120, "gpu_idle": 60}
_LONGEST = 23 * 3600


@rule("VM182", severity=Severity.ERROR, source="Google Cloud: AlertPolicy, duration of conditions", firm=True)
def alert_time_out_of_range(alerts: Alerts, context: Context) -> Iterator[Finding]:
    """The time of an alert is none that Cloud Monitoring takes.

    It counts in whole minutes, at most 23 hours; that values are missing it notices after two minutes at
    least. Anything else is refused when it is made.

    Write a time within these limits.
    """
    for key, said in (("node_silent", alerts.node_silent), ("gpu_idle", alerts.gpu_idle)):
        if said is UNSET:
            continue
        seconds = durations.seconds(said)
        if seconds % 60 or not _SHORTEST[key] <= seconds <= _LONGEST:
            yield Finding(
                f"{key} is {said}, and has to be whole minutes from {_SHORTEST[key] // 60}m to 23h",
                context.at(alerts, key),
                help=f"write a time such as {key}: 1h",
            )
