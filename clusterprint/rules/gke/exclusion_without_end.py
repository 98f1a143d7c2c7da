from clusterprint.blueprint.gke.maintenance import MaintenanceExclusion
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "GKE270",
    severity=Severity.ERROR,
    source="Google Cloud: maintenance windows and exclusions in GKE",
    firm=True,
)
def exclusion_without_end(exclusion: MaintenanceExclusion, context: Context) -> Iterator[Finding]:
    """A maintenance exclusion has no end, or two.

    It lasts until a given time, or until the version of the cluster is no longer supported.

    Write `end`, or `until_end_of_support: true`, and not both.
    """
    until_support = exclusion.until_end_of_support
    if exclusion.end is UNSET and not until_support:
        yield Finding(
            f"exclusion {exclusion.name} has no end",
            context.at(exclusion, "name"),
            help="add an end, or until_end_of_support: true",
        )
    if exclusion.end is not UNSET and until_support:
        yield Finding(
            f"exclusion {exclusion.name} has two ends",
            context.at(exclusion, "end"),
            also=(context.at(exclusion, "until_end_of_support", text="the other one"),),
            help="remove one of the two",
        )
