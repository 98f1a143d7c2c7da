from collections.abc import Iterator

from clusterprint.blueprint.google import ServiceAccount
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated_values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP073", severity=Severity.WARNING, source="The blueprint language: names in a list")
def role_repeated(account: ServiceAccount, context: Context) -> Iterator[Finding]:
    """A role is listed twice.

    The second one does nothing; perhaps another role was meant.

    Remove one of them.
    """
    yield from repeated_values(
        account,
        "roles",
        context,
        lambda role: f"{role} is listed twice",
        help="remove one of them, or name the role that was meant",
    )
