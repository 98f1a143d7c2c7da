from datetime import timedelta

from clusterprint.blueprint.gke.maintenance import MaintenanceWindow
from clusterprint.rules.gke._maintenance_times import FORMAT, moment
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_LEAST = timedelta(hours=4)


@rule("GKE082", severity=Severity.WARNING, source="Google Cloud: maintenance windows and exclusions in GKE")
def maintenance_window_too_short(window: MaintenanceWindow, context: Context) -> Iterator[Finding]:
    """The maintenance window is shorter than four hours.

    GKE needs windows of at least four hours each, and refuses a policy that leaves less than 48 hours in 32
    days.

    Make the window longer.
    """
    start, end = moment(window.start), moment(window.end)
    if start and end and timedelta() < end - start < _LEAST:
        yield Finding(
            f"the window is open for {(end - start) / timedelta(hours=1):g} hours; GKE needs at least 4",
            context.at(window, "end"),
            also=(context.at(window, "start", text="the start"),),
            help=f"end it at {(start + _LEAST).strftime(FORMAT)} or later",
        )
