from datetime import timedelta

from clusterprint import catalog
from clusterprint.blueprint.gke.maintenance import MaintenanceExclusion
from clusterprint.rules.gke._maintenance_times import moment
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE078", severity=Severity.WARNING, source="Google Cloud: maintenance windows and exclusions in GKE")
def exclusion_too_long(exclusion: MaintenanceExclusion, context: Context) -> Iterator[Finding]:
    """All upgrades are excluded for longer than GKE is known to allow.

    Security patches have to come through in the end. An exclusion of all upgrades is limited to some weeks;
    those of minor versions, and of nodes, may last until the version is no longer supported.

    Shorten it, or write `scope: no_minor_or_node_upgrades`, which leaves running nodes alone.
    """
    if exclusion.end is UNSET:
        return
    start, end = moment(exclusion.start), moment(exclusion.end)
    most = catalog.gke_limits().days_without_upgrades
    if exclusion.scope != "no_upgrades" or not start or not end or end - start <= timedelta(days=most):
        return
    yield Finding(
        f"exclusion {exclusion.name} stops all upgrades for {(end - start).days} days; "
        f"{most} are known to be allowed",
        context.at(exclusion, "end"),
        also=(context.at(exclusion, "scope", text="all upgrades"),),
        help="shorten it, or write scope: no_minor_or_node_upgrades",
    )
