"""Permissions to encrypt and decrypt with existing keys."""

from collections.abc import Sequence

from cdktf import ITerraformDependable
from cdktf_cdktf_provider_google.data_google_project import DataGoogleProject
from cdktf_cdktf_provider_google.kms_crypto_key_iam_member import KmsCryptoKeyIamMember
from constructs import Construct

from clusterprint.plan.google import KeyGrantPlan
from stacks.addresses import addressed


class KeyGrants(Construct):
    """Rights of Google's own accounts of a project on keys, each added as a member: nobody else loses any.

    What is encrypted waits for `resources`.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        after: Sequence[ITerraformDependable],
        plans: Sequence[KeyGrantPlan],
    ) -> None:
        super().__init__(scope, id)
        # Google's accounts are named by the project's number, which no blueprint has.
        number = addressed(DataGoogleProject(self, "project", project_id=project)).number
        self.resources = [
            addressed(
                KmsCryptoKeyIamMember(
                    self,
                    each.name,
                    crypto_key_id=each.key,
                    role=each.role,
                    member=f"serviceAccount:service-{number}@{each.agent}.iam.gserviceaccount.com",
                    # The APIs bring the accounts.
                    depends_on=list(after),
                )
            )
            for each in plans
        ]
