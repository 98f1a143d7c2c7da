"""Service accounts, and arguments that name them."""

from __future__ import annotations

from clusterprint_simcloud.arguments import Argument, adding
from clusterprint_simcloud.cloud.behaviour import Plan, Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.links import name_of
from clusterprint_simcloud.values import Path

ACCOUNT = "google_service_account"
# The last part of a service account's e-mail: PROJECT.iam.gserviceaccount.com.
_DOMAIN = ".iam.gserviceaccount.com"


def find_account(request: Request, value: str) -> Record | None:
    """A service account by e-mail, with or without `serviceAccount:`, or by id."""
    email = name_of(value.removeprefix("serviceAccount:"))
    return next(
        (one for one in request.contents.of(ACCOUNT) if email in (one.state.get("email"), one.id)), None
    )


def _is_ours(request: Request, email: str) -> bool:
    """Whether the account would be in a project of this cloud, so that it must exist here."""
    domain = email.rpartition("@")[2]
    project = domain.removesuffix(_DOMAIN)
    return (
        domain.endswith(_DOMAIN) and request.contents.get("google_project", f"projects/{project}") is not None
    )


def account(path: str) -> Reference:
    """An argument that names a service account, which goes whatever still names it, as in the real cloud.

    https://docs.cloud.google.com/iam/docs/service-accounts-delete-undelete
    """

    def found(request: Request, value: str) -> Record | None:
        record = find_account(request, value)
        if record is not None:
            return record
        email = name_of(value.removeprefix("serviceAccount:"))
        # Accounts of other projects, Google's own and workload identities cannot be known here.
        unknown = value == "default" or "[" in email or "@" not in email or not _is_ours(request, email)
        return _foreign(email) if unknown else None

    def missing(request: Request, _steps: Path, value: str) -> str:
        if request.state.get("member"):
            text = f"Service account {value.removeprefix('serviceAccount:')} does not exist"
            return f"googleapi: Error 400: {text}., badRequest"
        resource = f"projects/{request.text('project')}/serviceAccounts/{value}"
        text = f"The resource '{resource}' of type 'serviceAccount' was not found."
        return f"googleapi: Error 400: {text}, serviceAccountNotFound"

    return Reference(path, found, missing, holds=False)


def _foreign(email: str) -> Record:
    """A stand-in for what is outside the simulated cloud: never deleted in it."""
    return Record("google_service_account (elsewhere)", email, {})


def member() -> Reference:
    """The `member` of an IAM resource; only service accounts can be missing."""
    base = account("member")

    def found(request: Request, value: str) -> Record | None:
        return base.find(request, value) if value.startswith("serviceAccount:") else _foreign(value)

    return Reference("member", found, base.missing, holds=False)


def _drop_grants(request: Request) -> None:
    """The grants to the account and on it: a new account of the same name has none of them."""
    email = name_of(request.identity)
    for one in request.contents.records.copy().values():
        if not one.type.endswith("_iam_member"):
            continue
        to_it = one.state.get("member") == f"serviceAccount:{email}"
        on_it = one.state.get("service_account_id") == request.identity
        if to_it or on_it:
            request.contents.remove(one)


def _plan_account(plan: Plan) -> None:
    """The attributes that derive from the name of an account are known before it is created."""
    name, project = plan.state.get("account_id"), plan.state.get("project")
    if plan.prior is None and isinstance(name, str) and isinstance(project, str):
        plan.state["email"] = f"{name}@{project}{_DOMAIN}"
        plan.state["member"] = f"serviceAccount:{plan.state['email']}"


RESOURCES = (
    ResourceType(
        ACCOUNT,
        "service account",
        "projects/{project}/serviceAccounts/{account_id}@{project}.iam.gserviceaccount.com",
        adding(known(ACCOUNT), account_id=Argument(matches="[a-z](?:[-a-z0-9]{4,28}[a-z0-9])")),
        computed={
            "email": "{account_id}@{project}.iam.gserviceaccount.com",
            "member": "serviceAccount:{account_id}@{project}.iam.gserviceaccount.com",
            "name": "projects/{project}/serviceAccounts/{account_id}@{project}.iam.gserviceaccount.com",
            "unique_id": lambda request, _path: number(f"{request.identity} {request.serial}", 21),
        },
        service="iam.googleapis.com",
        planned=[_plan_account],
        deleting=[_drop_grants],
    ),
)
