"""The service account of the nodes."""

from collections.abc import Sequence

from cdktf import TerraformIterator, TerraformResource, Token
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from cdktf_cdktf_provider_google.service_account import (
    ServiceAccount as GoogleServiceAccount,
)
from constructs import Construct

from clusterprint.plan.google import ServiceAccountPlan
from stacks.addresses import addressed


class ServiceAccount(Construct):
    """A service account, created or existing, with its roles in the project.

    `email` and `member` identify it; `grants` has to be there before the account can do its work.
    `after` has to be there before the account and its roles.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        after: Sequence[TerraformResource],
        plan: ServiceAccountPlan,
    ) -> None:
        super().__init__(scope, id)
        self.email = plan.email
        if plan.account_id:
            account = GoogleServiceAccount(
                self,
                "Default",
                account_id=plan.account_id,
                display_name=plan.display_name,
                depends_on=list(after),
            )
            self.email = account.email
        self.member = f"serviceAccount:{self.email}"
        self.grants: list[TerraformResource] = []
        if plan.roles:
            # Members are added one by one; what others were granted is never touched.
            role = TerraformIterator.from_list(list(plan.roles))
            self.grants.append(
                addressed(
                    ProjectIamMember(
                        self,
                        "role",
                        for_each=role,
                        project=project,
                        role=Token.as_string(role.value),
                        member=self.member,
                        # Of an existing account nothing else waits for them.
                        depends_on=list(after),
                    )
                )
            )
