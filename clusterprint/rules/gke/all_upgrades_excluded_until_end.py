from clusterprint.blueprint.gke.maintenance import MaintenanceExclusion
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE271",
    severity=Severity.ERROR,
    source="Google Cloud: maintenance windows and exclusions in GKE",
    firm=True,
)
def all_upgrades_excluded_until_end(exclusion: MaintenanceExclusion, context: Context) -> Iterator[Finding]:
    """All upgrades are excluded until the end of support.

    Patches of the control plane can be stopped for some weeks only. Minor versions, and upgrades of nodes,
    can be excluded for as long as the version is supported.

    Write `scope: no_minor_or_node_upgrades`, which leaves running nodes alone, or set an end.
    """
    if exclusion.until_end_of_support and exclusion.scope == "no_upgrades":
        yield Finding(
            f"exclusion {exclusion.name} cannot stop all upgrades until the end of support",
            context.at(exclusion, "scope"),
            also=(context.at(exclusion, "until_end_of_support", text="until the end of support"),),
            help="write scope: no_minor_or_node_upgrades, or set an end",
        )
