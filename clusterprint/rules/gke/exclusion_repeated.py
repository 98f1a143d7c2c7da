from collections.abc import Iterator

from clusterprint.blueprint.gke.maintenance import Maintenance, MaintenanceExclusion
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE079", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def exclusion_repeated(maintenance: Maintenance, context: Context) -> Iterator[Finding]:
    """Two maintenance exclusions have the same name.

    Exclusions are told apart by their names; GKE refuses two of the same.

    Give one of them another name.
    """
    first: dict[str, MaintenanceExclusion] = {}
    for each, name in known(maintenance.exclusions, lambda each: each.name):
        before = first.setdefault(name, each)
        if before is not each:
            yield Finding(
                f"there are two exclusions called {name}",
                context.at(each, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name",
            )
