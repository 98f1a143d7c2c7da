"""The account that builds images."""

from collections.abc import Mapping, Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.artifact_registry_repository import ArtifactRegistryRepository
from cdktf_cdktf_provider_google.artifact_registry_repository_iam_member import (
    ArtifactRegistryRepositoryIamMember,
)
from cdktf_cdktf_provider_google.storage_bucket_iam_member import (
    StorageBucketIamMember,
    StorageBucketIamMemberCondition,
)
from constructs import Construct

from clusterprint.plan.builds import BuilderPlan
from stacks.addresses import addressed
from stacks.google.registry import Registry
from stacks.google.service_account import ServiceAccount


class Builder(Construct):
    """Writes logs and images, reads packages and its own source, and may do nothing else."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        registries: Mapping[str, Registry],
        after: Sequence[TerraformResource],
        plan: BuilderPlan,
    ) -> None:
        super().__init__(scope, id)
        self.account = ServiceAccount(self, "account", project=project, after=after, plan=plan.account)
        addressed(
            StorageBucketIamMember(
                self,
                "source",
                bucket=plan.bucket,
                role="roles/storage.objectViewer",
                member=self.account.member,
                condition=StorageBucketIamMemberCondition(
                    title="image source only",
                    expression="resource.name.startsWith("
                    f'"projects/_/buckets/{plan.bucket}/objects/{plan.source}/")',
                ),
            )
        )
        for form, registry in registries.items():
            self._grant(f"{form}-own", registry.own, "roles/artifactregistry.writer")
            for name, source in registry.sources.items():
                self._grant(f"{form}-{name}", source, "roles/artifactregistry.reader")

    def _grant(self, id: str, repository: ArtifactRegistryRepository, role: str) -> None:
        addressed(
            ArtifactRegistryRepositoryIamMember(
                self,
                id,
                repository=repository.repository_id,
                location=repository.location,
                role=role,
                member=self.account.member,
            )
        )
