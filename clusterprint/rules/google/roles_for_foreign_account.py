from clusterprint.blueprint.google import ServiceAccount
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP071", severity=Severity.WARNING, source="Terraform provider google: google_project_iam_member")
def roles_for_foreign_account(account: ServiceAccount, context: Context) -> Iterator[Finding]:
    """Roles are granted to a service account that the cluster does not own.

    The cluster grants these roles, and takes them away again when it is destroyed, also from everything
    else that uses the account, and also if the account had them before.

    Let the owner of the account grant the roles and remove them here, or leave `email` out, so that the
    cluster has an account of its own.
    """
    if account.email is not UNSET and account.roles:
        yield Finding(
            f"these roles are granted to {account.email}, and taken away from it with the cluster",
            context.at_key(account, "roles"),
            also=(context.at(account, "email", text="an account that others may use"),),
            help="remove email, so that the cluster has its own account, or remove roles",
        )
