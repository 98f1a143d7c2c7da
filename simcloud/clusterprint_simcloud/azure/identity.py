"""User-assigned identities and role assignments."""

from __future__ import annotations

from clusterprint_simcloud.azure.group import made_up
from clusterprint_simcloud.azure.ids import below_group, known, named, subscription
from clusterprint_simcloud.azure.refusal import refusal
from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.values import Path

IDENTITY = "azurerm_user_assigned_identity"
ASSIGNMENT = "azurerm_role_assignment"
# Built-in roles as Azure writes them; a role that is not here may exist all the same.
_ROLES = frozenset(
    {
        "Reader", "Contributor", "Owner", "User Access Administrator", "Tag Contributor",
        "Virtual Machine Contributor", "Network Contributor", "Managed Identity Operator",
        "Monitoring Metrics Publisher", "Storage Account Key Operator Service Role",
        "Storage Account Contributor", "Storage Blob Data Contributor", "Storage Blob Data Reader",
        "Storage File Data SMB Share Contributor", "Key Vault Secrets User", "AcrPull",
    }
)  # fmt: skip


def _scope(request: Request, value: str) -> Record | None:
    """Any resource with an id; subscriptions and ids outside of known ones are assumed to exist."""
    wanted = value.lower()
    found = next((one for one in request.contents.records.values() if one.id.lower() == wanted), None)
    elsewhere = not wanted.startswith(f"/subscriptions/{subscription(request).lower()}/")
    return found or (Record("scope (elsewhere)", value, {}) if elsewhere else None)


def _no_scope(_request: Request, _path: Path, value: str) -> str:
    return f"unexpected status 404 (404 Not Found) with error: ResourceNotFound: {value} was not found."


def _check_assignment(request: Request) -> None:
    role, principal = request.text("role_definition_name"), request.text("principal_id")
    if role and role not in _ROLES:
        raise refusal(request, "RoleDefinitionDoesNotExist", f"could not find role {role!r}")
    known_principals = {one.state.get("principal_id") for one in request.contents.of(IDENTITY)}
    if principal not in known_principals:
        text = f"Principal {principal} does not exist in the directory."
        raise refusal(request, "PrincipalNotFound", text)
    for other in request.contents.of(ASSIGNMENT):
        same = all(
            other.state.get(one) == request.state.get(one)
            for one in ("scope", "principal_id", "role_definition_name")
        )
        if same and other.id != request.identity:
            raise refusal(
                request, "RoleAssignmentExists", "The role assignment already exists.", "409 (409 Conflict)"
            )


def _assignment_id(request: Request) -> str:
    parts = (request.text("scope"), request.text("principal_id"), request.text("role_definition_name"))
    name = request.text("name") or made_up(" ".join(parts))
    return f"{request.text('scope')}/providers/Microsoft.Authorization/roleAssignments/{name}"


RESOURCES = (
    ResourceType(
        IDENTITY,
        "User Assigned Identity",
        below_group("Microsoft.ManagedIdentity/userAssignedIdentities"),
        named(IDENTITY, "[A-Za-z0-9][-_A-Za-z0-9]{2,127}"),
        computed={
            "principal_id": lambda request, _path: made_up(f"{request.identity} {request.serial} principal"),
            "client_id": lambda request, _path: made_up(f"{request.identity} {request.serial} client"),
            "tenant_id": lambda request, _path: made_up(f"tenant of {subscription(request)}"),
        },
    ),
    ResourceType(
        ASSIGNMENT,
        "Role Assignment",
        _assignment_id,
        known(ASSIGNMENT),
        computed={
            "name": lambda request, _path: request.identity.rpartition("/")[2],
            "role_definition_id": lambda request, _path: (
                f"/subscriptions/{subscription(request)}/providers/Microsoft.Authorization/roleDefinitions/"
                f"{made_up(request.text('role_definition_name'))}"
            ),
            "principal_type": "ServicePrincipal",
            "condition_version": "",
        },
        references=[Reference("scope", _scope, _no_scope, holds=False)],
        checks=[_check_assignment],
    ),
)
