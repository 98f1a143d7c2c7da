from clusterprint.blueprint.machines import Capacity
from clusterprint.derived.durations import seconds
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_LEAST = seconds("10m")
_MOST = seconds("7d")


@rule("GCP014", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG")
def flex_start_duration_out_of_range(capacity: Capacity, context: Context) -> Iterator[Finding]:
    """The maximum run time of flex-start machines is below 10 minutes or above 7 days.

    Flex-start is a queue for limited runs: Google takes the machines back after 7 days at the latest,
    and refuses requests beyond that.

    Write a duration from 10m to 7d, or choose another capacity model for longer runs.
    """
    duration = capacity.max_run_duration
    if capacity.model != "flex_start" or duration is UNSET or _LEAST <= seconds(duration) <= _MOST:
        return
    yield Finding(
        f"flex_start machines run for 10m to 7d, not for {duration}",
        context.at(capacity, "max_run_duration"),
        also=(context.at(capacity, "model", text="the capacity model"),),
        help=f"write max_run_duration: {'10m' if seconds(duration) < _LEAST else '7d'}",
    )
