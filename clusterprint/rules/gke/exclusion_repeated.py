from collections.abc import Iterator

from clusterprint.blueprint.gke.maintenance import Maintenance
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE079", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def exclusion_repeated(maintenance: Maintenance, context: Context) -> Iterator[Finding]:
    """Two maintenance exclusions have the same name.

    Exclusions are identified by their names; GKE refuses two of the same.

    Give one of them another name.
    """
    yield from repeated(
        maintenance.exclusions,
        context,
        lambda each: f"there are two exclusions called {each.name}",
        help="give one of them another name",
    )
