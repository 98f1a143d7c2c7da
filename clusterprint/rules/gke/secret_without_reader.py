from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.secrets import Secret
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


@rule("GKE373", severity=Severity.WARNING, source="Secret Manager: access control with IAM")
def secret_without_reader(secret: Secret, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A secret that exists is listed, but no workload may read it.

    In a cluster of kind gke a secret is read by the service accounts of `workload_identity` that name it. One
    that is neither created nor read does nothing here.

    Name it in `secrets` of a service account, add `create: true`, or remove the entry.
    """
    if secret.create:
        return
    readers = context.blueprint.workload_identity
    if not any(name == secret.name for each in readers for _, name in values(each, "secrets")):
        yield Finding(
            f"no workload may read secret {secret.name}",
            context.at(secret, "name"),
            help="name it in secrets of a workload_identity, add create: true, or remove it",
        )
