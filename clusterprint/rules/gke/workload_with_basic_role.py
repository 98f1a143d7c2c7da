from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.rules import _roles
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE092", severity=Severity.WARNING, source="IAM: basic roles")
def workload_with_basic_role(identity: WorkloadIdentity, context: Context) -> Iterator[Finding]:
    """A workload gets a basic role, which covers nearly everything in the project.

    Whoever may start a pod with this service account could read all data, delete all resources, and raise the
    bill without limit.

    Name the roles that the workload needs, such as roles/storage.objectViewer.
    """
    yield from _roles.basic(
        identity,
        context,
        f"pods of {identity.name}",
        help="name the roles that the workload needs, such as roles/storage.objectViewer",
    )
