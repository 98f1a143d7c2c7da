from collections.abc import Iterator

from clusterprint.blueprint.google import ServiceAccount
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP073", severity=Severity.WARNING, source="The blueprint language: names in a list")
def role_repeated(account: ServiceAccount, context: Context) -> Iterator[Finding]:
    """A role is listed twice.

    The second one does nothing; perhaps another role was meant.

    Remove one of them.
    """
    first: dict[str, int] = {}
    for index, role in values(account, "roles"):
        before = first.setdefault(role, index)
        if before != index:
            yield Finding(
                f"{role} is listed twice",
                context.at(account, "roles", index),
                also=(context.at(account, "roles", before, text="first listed here"),),
                help="remove one of them, or name the role that was meant",
            )
