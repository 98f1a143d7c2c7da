from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import google_names
from clusterprint.rules import _names
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP050", severity=Severity.ERROR, firm=True)
def derived_name_not_allowed(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    derived = (*google_names.of_kind(blueprint.kind), *google_names.of_zones(blueprint))
    yield from _names.not_allowed(derived, blueprint, context)
