"""Rights that no role of Google's has alone."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.project_iam_custom_role import ProjectIamCustomRole
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from constructs import Construct

from clusterprint.plan.google import CustomRolePlan
from stacks.addresses import addressed
from stacks.google.service_account import ServiceAccount


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
        role = addressed(
            ProjectIamCustomRole(
                self,
                "Default",
                role_id=plan.role_id,
                title=plan.title,
                description=plan.description,
                permissions=list(plan.permissions),
                depends_on=list(after),
            )
        )
        self.grants: list[TerraformResource] = [
            addressed(ProjectIamMember(self, "nodes", project=project, role=role.name, member=account.member))
        ]
