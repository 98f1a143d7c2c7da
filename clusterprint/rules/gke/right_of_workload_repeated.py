from collections.abc import Iterator

from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated_values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE093", severity=Severity.WARNING, source="The blueprint language: names in a list")
def right_of_workload_repeated(identity: WorkloadIdentity, context: Context) -> Iterator[Finding]:
    """A role or a secret of a workload is listed twice.

    The second one does nothing; perhaps another one was meant.

    Remove one of them.
    """
    for field in ("roles", "secrets"):
        yield from repeated_values(
            identity,
            field,
            context,
            lambda name: f"{name} is listed twice",
            help="remove one of them, or name the one that was meant",
        )
