"""A repository of container images that is there already."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.artifact_registry_repository_iam_member import (
    ArtifactRegistryRepositoryIamMember,
)
from constructs import Construct

from clusterprint.plan.google import ImageRepositoryPlan
from stacks.addresses import addressed
from stacks.google.service_account import ServiceAccount


class ImageRepository(Construct):
    """The nodes' right to the images of one repository; `grants` has to be there before they fetch one."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        account: ServiceAccount,
        after: Sequence[TerraformResource],
        plan: ImageRepositoryPlan,
    ) -> None:
        super().__init__(scope, id)
        grant = ArtifactRegistryRepositoryIamMember(
            self,
            "nodes",
            project=plan.project,
            location=plan.location,
            repository=plan.name,
            role=plan.role,
            member=account.member,
            depends_on=list(after),
        )
        self.grants: list[TerraformResource] = [addressed(grant)]
