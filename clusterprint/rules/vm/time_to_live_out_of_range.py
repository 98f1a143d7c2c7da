from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived.durations import seconds
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_LEAST = "30m"
_MOST = "364d"


@rule("VM140", severity=Severity.ERROR, source="Google Cloud: Cloud Scheduler, cron job format", firm=True)
def time_to_live_out_of_range(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """The time to live is shorter than half an hour, or longer than 364 days.

    It begins when Terraform creates the cluster, which takes the first minutes. At its end Cloud Scheduler
    acts at a minute of a day of a month: in no particular year, so a year is too long.

    Write a duration from 30m to 364d; for longer, leave it out.
    """
    given_time = blueprint.time_to_live
    if not given(given_time) or seconds(_LEAST) <= seconds(given_time) <= seconds(_MOST):
        return
    short = seconds(given_time) < seconds(_LEAST)
    yield Finding(
        f"a cluster can live for {_LEAST} to {_MOST}, not for {given_time}",
        context.at(blueprint, "time_to_live"),
        help=f"write time_to_live: {_LEAST if short else f'{_MOST}, or leave it out'}",
    )
