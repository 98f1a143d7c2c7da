from clusterprint.blueprint.azure import Repair
from clusterprint.derived import durations
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_LEAST = durations.seconds("10m")
_MOST = durations.seconds("90m")


@rule("AZ050", severity=Severity.ERROR, source="Azure: automatic instance repairs", firm=True)
def repair_grace_out_of_range(repair: Repair, context: Context) -> Iterator[Finding]:
    """The grace period before repair is too short, too long, or not in whole minutes.

    Azure takes 10 to 90 minutes.

    Write a duration from 10m to 90m.
    """
    seconds = durations.seconds(repair.grace_period)
    if not _LEAST <= seconds <= _MOST or seconds % 60:
        wrong = f"the grace period must be 10m to 90m, in whole minutes, not {repair.grace_period}"
        yield Finding(wrong, context.at(repair, "grace_period"), help="write grace_period: 30m")
