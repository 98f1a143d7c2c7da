from collections.abc import Iterator

from clusterprint.blueprint.google import ServiceAccount
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

_BASIC = ("roles/owner", "roles/editor")


@rule("GCP070", severity=Severity.WARNING, source="IAM: basic roles")
def basic_role(account: ServiceAccount, context: Context) -> Iterator[Finding]:
    """The nodes get a basic role, which covers nearly everything in the project.

    Every program on a node can act as its service account. As owner or editor of the project it could
    read all data, delete all resources, and raise the bill without limit.

    Name the roles that the nodes need, such as roles/artifactregistry.reader.
    """
    for index, role in values(account, "roles"):
        if role in _BASIC:
            yield Finding(
                f"{role} lets every program on the nodes change nearly everything in the project",
                context.at(account, "roles", index),
                help="name the roles that the nodes need, such as roles/artifactregistry.reader",
            )
