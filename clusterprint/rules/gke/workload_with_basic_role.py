from collections.abc import Iterator

from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

_BASIC = ("roles/owner", "roles/editor")


@rule("GKE092", severity=Severity.WARNING, source="IAM: basic roles")
def workload_with_basic_role(identity: WorkloadIdentity, context: Context) -> Iterator[Finding]:
    """A workload gets a basic role, which covers nearly everything in the project.

    Whoever may start a pod with this service account could read all data, delete all resources, and raise the
    bill without limit.

    Name the roles that the workload needs, such as roles/storage.objectViewer.
    """
    for index, role in values(identity, "roles"):
        if role in _BASIC:
            yield Finding(
                f"{role} lets pods of {identity.name} change nearly everything in the project",
                context.at(identity, "roles", index),
                help="name the roles that the workload needs, such as roles/storage.objectViewer",
            )
