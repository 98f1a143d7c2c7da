"""Permissions of the cluster's service accounts in Google Cloud."""

from collections.abc import Mapping, Sequence

from cdktf import ITerraformDependable, TerraformIterator, Token
from cdktf_cdktf_provider_google.data_google_project import DataGoogleProject
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from cdktf_cdktf_provider_google.secret_manager_regional_secret_iam_member import (
    SecretManagerRegionalSecretIamMember,
)
from cdktf_cdktf_provider_google.secret_manager_secret_iam_member import SecretManagerSecretIamMember
from cdktf_cdktf_provider_google.service_account_iam_member import ServiceAccountIamMember
from cdktf_cdktf_provider_google.storage_bucket_iam_member import StorageBucketIamMember
from constructs import Construct

from clusterprint.plan.gke.cluster import BucketGrantPlan, IdentityPlan
from stacks.addresses import addressed
from stacks.google.bucket import Bucket

_READS_SECRETS = "roles/secretmanager.secretAccessor"


class Identities(Construct):
    """Rights of service accounts of the cluster, each added as a member: nobody else loses any.

    The cluster comes first: it brings the pool of identities that members are named by.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        pool: str,
        cluster: ITerraformDependable,
        buckets: Mapping[str, Bucket],
        secrets: Sequence[ITerraformDependable],
        plans: Sequence[IdentityPlan],
    ) -> None:
        super().__init__(scope, id)
        # Members are named by the project's number, which no blueprint has.
        direct = any(not each.service_account for each in plans)
        number = addressed(DataGoogleProject(self, "project", project_id=project)).number if direct else ""
        for plan in plans:
            subject = f"subject/ns/{plan.namespace}/sa/{plan.name}"
            member = (
                f"serviceAccount:{plan.service_account}"
                if plan.service_account
                else f"principal://iam.googleapis.com/projects/{number}/locations/global/"
                f"workloadIdentityPools/{pool}/{subject}"
            )
            Identity(
                self,
                plan.key,
                project=project,
                pool=pool,
                member=member,
                buckets=buckets,
                created=secrets,
                after=[cluster],
                plan=plan,
            )


class Identity(Construct):
    """One service account of the cluster; `member` is who gets its rights.

    Rights to secrets come after those of them that are `created` with the cluster.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        pool: str,
        member: str,
        buckets: Mapping[str, Bucket],
        created: Sequence[ITerraformDependable],
        after: Sequence[ITerraformDependable],
        plan: IdentityPlan,
    ) -> None:
        super().__init__(scope, id)
        self._after = list(after)
        if plan.service_account:
            self._act_as(pool, plan)
        if plan.roles:
            self._grant_roles(project, plan.roles, member)
        for grant in plan.buckets:
            bucket = buckets[grant.bucket].name if grant.bucket in buckets else grant.bucket
            self._grant_bucket(bucket, grant, member)
        after = [*after, *created]
        if plan.secrets:
            self._grant_secrets(project, plan.secrets, member, after)
        for location, names in plan.regional_secrets.items():
            self._grant_regional_secrets(project, location, names, member, after)

    def _act_as(self, pool: str, plan: IdentityPlan) -> None:
        addressed(
            ServiceAccountIamMember(
                self,
                "acts-as",
                service_account_id=f"projects/-/serviceAccounts/{plan.service_account}",
                role="roles/iam.workloadIdentityUser",
                member=f"serviceAccount:{pool}[{plan.namespace}/{plan.name}]",
                depends_on=self._after,
            )
        )

    def _grant_roles(self, project: str, roles: Sequence[str], member: str) -> None:
        role = TerraformIterator.from_list(list(roles))
        addressed(
            ProjectIamMember(
                self,
                "role",
                for_each=role,
                project=project,
                role=Token.as_string(role.value),
                member=member,
                depends_on=self._after,
            )
        )

    def _grant_bucket(self, bucket: str, grant: BucketGrantPlan, member: str) -> None:
        addressed(
            StorageBucketIamMember(
                self,
                f"bucket-{grant.bucket}",
                bucket=bucket,
                role=grant.role,
                member=member,
                depends_on=self._after,
            )
        )

    def _grant_secrets(
        self, project: str, secrets: Sequence[str], member: str, after: Sequence[ITerraformDependable]
    ) -> None:
        secret = TerraformIterator.from_list(list(secrets))
        addressed(
            SecretManagerSecretIamMember(
                self,
                "secret",
                for_each=secret,
                project=project,
                secret_id=Token.as_string(secret.value),
                role=_READS_SECRETS,
                member=member,
                depends_on=list(after),
            )
        )

    def _grant_regional_secrets(
        self,
        project: str,
        location: str,
        secrets: Sequence[str],
        member: str,
        after: Sequence[ITerraformDependable],
    ) -> None:
        secret = TerraformIterator.from_list(list(secrets))
        addressed(
            SecretManagerRegionalSecretIamMember(
                self,
                f"secret-{location}",
                for_each=secret,
                project=project,
                location=location,
                secret_id=Token.as_string(secret.value),
                role=_READS_SECRETS,
                member=member,
                depends_on=list(after),
            )
        )
