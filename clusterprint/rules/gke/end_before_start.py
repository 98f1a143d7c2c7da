from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._moments import moment, spans
from clusterprint.rules.rule import Finding, rule


@rule(
    "GKE077",
    severity=Severity.ERROR,
    source="Google Cloud: maintenance windows and exclusions in GKE",
    firm=True,
)
def end_before_start(maintenance: Maintenance, context: Context) -> Iterator[Finding]:
    """A maintenance window or exclusion ends before it starts.

    GKE refuses it.

    Swap the two, or correct the one that is wrong.
    """
    for part in spans(maintenance):
        if part.end is UNSET:
            continue
        start, end = moment(part.start), moment(part.end)
        if start and end and end <= start:
            yield Finding(
                f"{part.end} is not after {part.start}",
                context.at(part, "end"),
                also=(context.at(part, "start", text="the start"),),
                help="swap the two, or correct the one that is wrong",
            )
