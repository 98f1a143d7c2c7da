from datetime import timedelta

from clusterprint.blueprint.updates import UpdateWindow
from clusterprint.derived.durations import MOMENT, moment
from clusterprint.derived.updates import days
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_SHORTEST = timedelta(minutes=30)


@rule("BP250", severity=Severity.ERROR, firm=True)
def updates_window_never_opens(part: UpdateWindow, context: Context) -> Iterator[Finding]:
    start, end = moment(part.start), moment(part.end)
    for key, found in (("start", start), ("end", end)):
        if not found:
            day = getattr(part, key).partition("T")[0]
            yield Finding(f"there is no day {day}", context.at(part, key), help="correct the day")
    if not start or not end:
        return
    length = end - start
    also = context.at(part, "start", text="the start")
    least = f"end it at {(start + _SHORTEST).strftime(MOMENT)} or later"
    open_days = days(part, start)
    if length < _SHORTEST:
        message = f"{part.end} is not half an hour after {part.start}"
        yield Finding(message, context.at(part, "end"), also=(also,), help=least)
    elif length > timedelta(days=1 if len(open_days) > 1 else 7):
        message = "the window is still open when the next one starts"
        yield Finding(message, context.at(part, "end"), also=(also,), help="end it earlier")
    if start.strftime("%a") not in open_days:
        message = f"{part.start[:10]} is a {start:%A}, on which the window does not open"
        also = context.at(part, "recurrence", text="the days")
        yield Finding(message, context.at(part, "start"), also=(also,), help="start on one of its days")
