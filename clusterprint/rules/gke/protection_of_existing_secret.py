from clusterprint.blueprint.gke.secrets import Secret
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE371", severity=Severity.ERROR, source="The blueprint language: secrets")
def protection_of_existing_secret(secret: Secret, context: Context) -> Iterator[Finding]:
    """An existing secret has `deletion_protection`, which only a created one can have.

    A secret that exists already does not belong to this cluster: it is neither changed nor destroyed, so the
    setting would silently have no effect.

    Add `create: true` to create the secret, or remove the setting.
    """
    if not secret.create and context.wrote(secret, "deletion_protection"):
        yield Finding(
            f"secret {secret.name} exists already, so deletion_protection would have no effect",
            context.at_key(secret, "deletion_protection"),
            help="add create: true to create the secret, or remove it",
        )
