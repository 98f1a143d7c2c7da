"""Times of alerts, which Cloud Monitoring takes within limits only."""

from collections.abc import Mapping

from clusterprint.blueprint.part import Part
from clusterprint.derived import durations
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator

# In seconds; the API takes no more than 23 hours and a half.
_LONGEST = 23 * 3600


def out_of_range(alerts: Part, context: Context, shortest: Mapping[str, int]) -> Iterator[Finding]:
    """A finding for each time that is none; `shortest` are the fields with the least seconds of each."""
    for key, least in shortest.items():
        said = getattr(alerts, key)
        if said is UNSET:
            continue
        seconds = durations.seconds(said)
        if seconds % 60 or not least <= seconds <= _LONGEST:
            yield Finding(
                f"{key} is {said}, but must be whole minutes from {least // 60}m to 23h",
                context.at(alerts, key),
                help=f"write a time such as {key}: 1h",
            )
