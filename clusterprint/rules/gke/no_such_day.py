from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.rules.gke._maintenance_times import moment, written_moments
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE076", severity=Severity.ERROR, source="ISO 8601: dates in the Gregorian calendar", firm=True)
def no_such_day(maintenance: Maintenance, context: Context) -> Iterator[Finding]:
    """A time has a day that does not exist.

    Months have 28 to 31 days; GKE refuses any other date.

    Correct the day.
    """
    for part, field, text in written_moments(maintenance):
        if moment(text) is None:
            yield Finding(
                f"there is no day {text.partition('T')[0]}",
                context.at(part, field),
                help="correct the day",
            )
