"""Rights that no role of Google's has alone.

Google keeps the id of a deleted role: for 7 days it can be taken back, for 30 more nobody can have it
(IAM: delete and undelete custom roles). So each life of a cluster has an id of its own, kept in the state.
"""

from collections.abc import Sequence
from typing import Any

from cdktf import DataResource, TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.project_iam_custom_role import ProjectIamCustomRole
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from constructs import Construct

from clusterprint.plan.google import CustomRolePlan
from stacks.addresses import address, addressed
from stacks.google.service_account import ServiceAccount


def role_of_one_life(
    scope: Construct, id: str, *, role_id: str, after: Sequence[TerraformResource] = (), **said: Any
) -> ProjectIamCustomRole:
    """A role whose id ends in what only this state has; a role that exists keeps the id that it has."""
    life = addressed(DataResource(scope, "life"))
    return addressed(
        ProjectIamCustomRole(
            scope,
            id,
            role_id=f"{role_id}_${{substr({address(life)}.id, 0, 8)}}",
            depends_on=list(after) or None,
            lifecycle=TerraformResourceLifecycle(ignore_changes=["role_id"]),
            **said,
        )
    )


class CustomRole(Construct):
    """A role of the project, and one member of it; other members are never touched.

    `grants` has to be there before the account can do what the role allows.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        account: ServiceAccount,
        after: Sequence[TerraformResource],
        plan: CustomRolePlan,
    ) -> None:
        super().__init__(scope, id)
        role = role_of_one_life(
            self,
            "Default",
            role_id=plan.role_id,
            title=plan.title,
            description=plan.description,
            permissions=list(plan.permissions),
            after=after,
        )
        self.grants: list[TerraformResource] = [
            addressed(ProjectIamMember(self, "nodes", project=project, role=role.name, member=account.member))
        ]
