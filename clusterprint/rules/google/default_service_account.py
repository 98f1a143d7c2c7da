import re

from clusterprint.blueprint.google import ServiceAccount
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_DEFAULT = re.compile(r"[0-9]+-compute@developer\.gserviceaccount\.com|.+@appspot\.gserviceaccount\.com")


@rule("GCP072", severity=Severity.WARNING, source="IAM: best practices for using service accounts")
def default_service_account(account: ServiceAccount, context: Context) -> Iterator[Finding]:
    """The nodes run as a default service account of the project.

    All virtual machines of a project share it unless told otherwise, and in many projects it is an editor
    of everything in them.

    Remove `email`, so that the cluster gets a dedicated account with minimal roles.
    """
    if account.email is not UNSET and _DEFAULT.fullmatch(account.email):
        yield Finding(
            f"{account.email} is a default service account of a project, often with very broad permissions",
            context.at(account, "email"),
            help="remove email to create a dedicated account for the cluster",
        )
