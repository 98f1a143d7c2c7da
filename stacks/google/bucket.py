"""A bucket that the nodes may use."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.storage_bucket import StorageBucket
from cdktf_cdktf_provider_google.storage_bucket_iam_member import StorageBucketIamMember
from constructs import Construct

from clusterprint.plan.google import BucketPlan
from stacks.addresses import addressed
from stacks.google.service_account import ServiceAccount


class Bucket(Construct):
    """A bucket, created or existing, and the nodes' right to its objects, if they have one.

    `after` has to be there before the bucket.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        account: ServiceAccount,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: BucketPlan,
    ) -> None:
        super().__init__(scope, id)
        self.name = plan.name
        if plan.create:
            bucket = StorageBucket(
                self,
                "Default",
                name=plan.name,
                location=plan.location,
                storage_class=plan.storage_class,
                uniform_bucket_level_access=True,
                public_access_prevention="enforced",
                force_destroy=plan.force_destroy,
                labels=labels,
                depends_on=list(after),
            )
            self.name = bucket.name
        self.grants = []
        if plan.role:
            grant = StorageBucketIamMember(
                self, "nodes", bucket=self.name, role=plan.role, member=account.member
            )
            self.grants.append(addressed(grant))
