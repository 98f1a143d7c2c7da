"""Managed identities of the machines, and their permissions."""

from collections.abc import Mapping

from cdktf_cdktf_provider_azurerm.role_assignment import RoleAssignment
from cdktf_cdktf_provider_azurerm.user_assigned_identity import UserAssignedIdentity
from constructs import Construct

from clusterprint.plan.azure import GrantPlan, IdentityPlan
from stacks.addresses import addressed
from stacks.azure.place import Place


class Identity(Construct):
    """A user-assigned identity: it is there before its machine, so its rights can be, too."""

    def __init__(self, scope: Construct, id: str, *, place: Place, plan: IdentityPlan) -> None:
        super().__init__(scope, id)
        self.resource = addressed(UserAssignedIdentity(self, "Default", name=plan.name, **place.common))


class Grant(Construct):
    """A built-in role for an identity; `scopes` are ids of what roles can be on, by scope and share."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        identities: Mapping[str, Identity],
        scopes: Mapping[tuple[str, str], str],
        plan: GrantPlan,
    ) -> None:
        super().__init__(scope, id)
        addressed(
            RoleAssignment(
                self,
                "Default",
                scope=scopes[plan.scope, plan.share],
                role_definition_name=plan.role,
                principal_id=identities[plan.identity].resource.principal_id,
                # A new identity takes minutes to reach the directory; saying what it is skips the look-up.
                principal_type="ServicePrincipal",
            )
        )
