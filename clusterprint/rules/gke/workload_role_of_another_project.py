from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


@rule("GKE094", severity=Severity.ERROR, source="IAM: custom roles")
def workload_role_of_another_project(
    identity: WorkloadIdentity, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A custom role belongs to another project.

    A custom role of a project can be granted in that project only; Google refuses the grant.

    Define the role in the cluster's project or in the organization, or grant a predefined one.
    """
    project = context.blueprint.project
    for index, role in values(identity, "roles"):
        if role.startswith("projects/") and role.split("/")[1] != project:
            yield Finding(
                f"{role} can be granted in project {role.split('/')[1]} only, not in {project}",
                context.at(identity, "roles", index),
                also=(context.at(context.blueprint, "project", text="the project of the cluster"),),
                help="define the role in this project or in the organization",
            )
