from collections.abc import Iterator

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated_values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP143", severity=Severity.WARNING, source="Google Cloud: enabling and disabling services")
def service_repeated(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """An API is listed twice.

    Once is enough; perhaps another one was meant.

    Remove one, or name the other API.
    """
    yield from repeated_values(
        blueprint,
        "more_services",
        context,
        lambda name: f"{name} is listed twice",
        help="remove it, or name another",
    )
