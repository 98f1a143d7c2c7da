from clusterprint.blueprint.google import ServiceAccount
from clusterprint.rules import _roles
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP070", severity=Severity.WARNING, source="IAM: basic roles")
def basic_role(account: ServiceAccount, context: Context) -> Iterator[Finding]:
    """The nodes get a basic role, which covers nearly everything in the project.

    Every program on a node can act as its service account. As owner or editor of the project it could
    read all data, delete all resources, and raise the bill without limit.

    Name the roles that the nodes need, such as roles/artifactregistry.reader.
    """
    yield from _roles.basic(
        account,
        context,
        "every program on the nodes",
        help="name the roles that the nodes need, such as roles/artifactregistry.reader",
    )
