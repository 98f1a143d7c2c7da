from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE081",
    severity=Severity.ERROR,
    source="Google Cloud: maintenance windows and exclusions in GKE",
    firm=True,
)
def two_maintenance_windows(maintenance: Maintenance, context: Context) -> Iterator[Finding]:
    """Two maintenance windows are given: one every day, and one of its own.

    A cluster has one window; GKE refuses two.

    Remove one of them.
    """
    if given(maintenance.daily_start) and given(maintenance.window):
        yield Finding(
            f"a window every day from {maintenance.daily_start} is given, and another one",
            context.at(maintenance, "daily_start"),
            also=(context.at_key(maintenance, "window", text="the other one"),),
            help="remove one of them",
        )
