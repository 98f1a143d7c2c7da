from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.rules.gke._maintenance_times import moment, spans
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


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
