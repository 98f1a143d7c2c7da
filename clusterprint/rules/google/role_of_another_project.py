import re

from clusterprint.blueprint.google import GoogleBlueprint, ServiceAccount
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values

_CUSTOM = re.compile(r"projects/(?P<project>[^/]+)/roles/.+")


@rule("GCP074", severity=Severity.ERROR, source="IAM: custom roles")
def role_of_another_project(account: ServiceAccount, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A custom role belongs to another project.

    A custom role of a project can be granted in that project only; Google refuses the grant.

    Define the role in the cluster's project or in the organization, or grant a predefined one.
    """
    for index, role in values(account, "roles"):
        match = _CUSTOM.fullmatch(role)
        project = context.blueprint.project
        if match and match["project"] != project:
            yield Finding(
                f"{role} can be granted in project {match['project']} only, not in {project}",
                context.at(account, "roles", index),
                also=(context.at(context.blueprint, "project", text="the project of the cluster"),),
                help="define the role in this project or in the organization",
            )
