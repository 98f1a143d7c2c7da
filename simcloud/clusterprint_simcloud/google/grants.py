"""Who may do what, with what: one type for each kind of thing, and one custom kind of role."""

from __future__ import annotations

import re

from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Record
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.iam import account, member
from clusterprint_simcloud.google.identities import check_pool
from clusterprint_simcloud.google.image import IMAGE
from clusterprint_simcloud.google.links import name_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.registry import REPOSITORY
from clusterprint_simcloud.google.storage import bucket
from clusterprint_simcloud.values import Path

CUSTOM_ROLE = "google_project_iam_custom_role"
SECRET = "google_secret_manager_secret"  # noqa: S105  (a type)
REGIONAL_SECRET = "google_secret_manager_regional_secret"  # noqa: S105  (a type)
_ROLE = re.compile(r"roles/[\w.]+|(?P<parent>(?:projects|organizations)/[^/]+)/roles/[\w.]+")
_KEY = re.compile(r"projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+")
_MEMBER = re.compile(
    r"allUsers|allAuthenticatedUsers|principal(?:Set)?://\S+"
    r"|(?:user|serviceAccount|group|domain|projectOwner|projectEditor|projectViewer|deleted:\w+):\S+"
)
_PERMISSION = re.compile(r"[a-z][\w]*(?:\.\w+){2,}")


def _check(request: Request) -> None:
    """Refuse roles and members that cannot exist by their form, or that do not."""
    role, who = request.text("role"), request.text("member")
    form = _ROLE.fullmatch(role)
    if form is None:
        raise refusal(request, f"Role {role} is not supported for this resource.", "badRequest")
    if not _MEMBER.fullmatch(who):
        text = f"Invalid member '{who}': it needs a type such as serviceAccount:."
        raise refusal(request, text, "badRequest")
    ours = form["parent"] and request.contents.get("google_project", form["parent"])
    if ours and request.contents.get(CUSTOM_ROLE, role) is None:
        raise refusal(request, f"Role ({role}) does not exist in the resource's hierarchy.", "badRequest")
    check_pool(request)


def _check_permissions(request: Request) -> None:
    for one in request.state.get("permissions") or []:
        if not _PERMISSION.fullmatch(one):
            raise refusal(request, f"Permission {one} is not valid.", "badRequest")


def _secret(type_: str = SECRET) -> Reference:
    """Secrets are mostly made by hand, so one that is not there is believed."""

    def found(request: Request, value: str) -> Record:
        place = f"projects/{request.text('project')}"
        if type_ == REGIONAL_SECRET:
            place += f"/locations/{request.text('location')}"
        identity = f"{place}/secrets/{name_of(value)}"
        return request.contents.get(type_, identity) or Record(f"{type_} (by hand)", identity, {})

    return Reference("secret_id", found, lambda *_: "", lambda a, b: name_of(a) == name_of(b))


def _check_protection(request: Request) -> None:
    if request.state.get("deletion_protection") is True:
        what = "regional secret" if request.text("location") else "secret"
        raise ApiError(
            f"cannot destroy secret manager {what} without setting deletion_protection=false"
            " and running `terraform apply`"
        )


def _key() -> Reference:
    """Keys are made by hand, by others: each is believed, if it is named in full."""

    def found(_request: Request, value: str) -> Record | None:
        return Record("google_kms_crypto_key (by hand)", value, {}) if _KEY.fullmatch(value) else None

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f"Invalid CryptoKey id format, expecting a key's full name, got: {value}"

    return Reference("crypto_key_id", found, missing)


def _image() -> Reference:
    """An image that was made here; Terraform makes none, so it stays when what names it goes."""

    def path(request: Request, value: str) -> str:
        return f"projects/{request.text('project')}/global/images/{name_of(value)}"

    def found(request: Request, value: str) -> Record | None:
        return request.contents.get(IMAGE, path(request, value))

    def missing(request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 404: The resource '{path(request, value)}' was not found, notFound"

    return Reference("image", found, missing, lambda a, b: name_of(a) == name_of(b))


def _repository() -> Reference:
    def path(request: Request, value: str) -> str:
        place = f"projects/{request.text('project')}/locations/{request.text('location')}"
        return f"{place}/repositories/{name_of(value)}"

    def found(request: Request, value: str) -> Record | None:
        return request.contents.get(REPOSITORY, path(request, value))

    def missing(request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 404: Requested entity was not found: {path(request, value)}., notFound"

    return Reference("repository", found, missing, lambda a, b: name_of(a) == name_of(b))


def _member(name: str, label: str, identity: str, *on: Reference) -> ResourceType:
    """One member of one role on a thing that `on` finds; under another condition it is another one.

    The id is that of the provider (tpgiamresource, resource_iam_member.go): title, description and expression
    of the condition follow the member.
    """

    def whole(request: Request) -> str:
        of: dict[str, object] = next(iter(request.state.get("condition") or []), {})
        words = (str(of.get(each) or "") for each in ("title", "description", "expression"))
        return request.formatted(identity) + (f"/{'/'.join(words)}" if of else "")

    return ResourceType(
        name,
        label,
        whole,
        references=[*on, member()],
        service="cloudresourcemanager.googleapis.com" if not on else "",
        checks=[_check],
        shared=True,
    )


RESOURCES = (
    _member("google_project_iam_member", "project IAM member", "{project}/{role}/{member}"),
    _member("google_storage_bucket_iam_member", "bucket IAM member", "b/{bucket}/{role}/{member}", bucket()),
    _member(
        "google_service_account_iam_member",
        "service account IAM member",
        "{service_account_id}/{role}/{member}",
        account("service_account_id"),
    ),
    _member(
        "google_secret_manager_secret_iam_member",
        "secret IAM member",
        "projects/{project}/secrets/{secret_id}/{role}/{member}",
        _secret(),
    ),
    _member(
        "google_secret_manager_regional_secret_iam_member",
        "regional secret IAM member",
        "projects/{project}/locations/{location}/secrets/{secret_id}/{role}/{member}",
        _secret(REGIONAL_SECRET),
    ),
    _member(
        "google_kms_crypto_key_iam_member",
        "KMS crypto key IAM member",
        "{crypto_key_id}/{role}/{member}",
        _key(),
    ),
    _member(
        "google_artifact_registry_repository_iam_member",
        "repository IAM member",
        "projects/{project}/locations/{location}/repositories/{repository}/{role}/{member}",
        _repository(),
    ),
    _member(
        "google_compute_image_iam_member",
        "compute image IAM member",
        "projects/{project}/global/images/{image}/{role}/{member}",
        _image(),
    ),
    ResourceType(
        CUSTOM_ROLE,
        "custom project role",
        "projects/{project}/roles/{role_id}",
        known(CUSTOM_ROLE),
        computed={"name": "projects/{project}/roles/{role_id}", "deleted": False},
        service="iam.googleapis.com",
        checks=[_check_permissions],
    ),
    ResourceType(
        SECRET,
        "Secret",
        "projects/{project}/secrets/{secret_id}",
        known(SECRET),
        computed={"name": "projects/{project}/secrets/{secret_id}", "expire_time": ""},
        service="secretmanager.googleapis.com",
        virtual=["deletion_protection"],
        deleting=[_check_protection],
    ),
    ResourceType(
        REGIONAL_SECRET,
        "RegionalSecret",
        "projects/{project}/locations/{location}/secrets/{secret_id}",
        known(REGIONAL_SECRET),
        computed={
            "name": "projects/{project}/locations/{location}/secrets/{secret_id}",
            "expire_time": "",
        },
        service="secretmanager.googleapis.com",
        virtual=["deletion_protection"],
        deleting=[_check_protection],
    ),
)
