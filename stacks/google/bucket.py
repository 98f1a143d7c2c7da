"""A bucket that the nodes may use."""

from collections.abc import Sequence

from cdktf import DataResource, Fn, TerraformResource, TerraformResourceLifecycle, Token
from cdktf_cdktf_provider_google.storage_anywhere_cache import StorageAnywhereCache
from cdktf_cdktf_provider_google.storage_bucket import (
    StorageBucket,
    StorageBucketCustomPlacementConfig,
    StorageBucketLifecycleRule,
    StorageBucketLifecycleRuleAction,
    StorageBucketLifecycleRuleCondition,
)
from cdktf_cdktf_provider_google.storage_bucket_iam_member import StorageBucketIamMember
from constructs import Construct

from clusterprint.plan.google import BucketPlan, BucketRulePlan
from stacks.addresses import addressed
from stacks.arguments import set_arguments
from stacks.google.provider import set_beyond
from stacks.google.service_account import ServiceAccount
from stacks.protection import prevent_destroy


class Bucket(Construct):
    """A bucket, created or existing, its caches, and the nodes' right to its objects, if they have one.

    `after` has to be there before the bucket.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        account: ServiceAccount | None,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: BucketPlan,
    ) -> None:
        super().__init__(scope, id)
        self.name = self._suffixed(plan) if plan.suffix_length else plan.name
        if plan.create:
            bucket = StorageBucket(
                self,
                "Default",
                name=self.name,
                location=plan.location,
                uniform_bucket_level_access=True,
                public_access_prevention="enforced",
                custom_placement_config=(
                    StorageBucketCustomPlacementConfig(data_locations=[plan.zone]) if plan.zone else None
                ),
                lifecycle_rule=[_rule(each) for each in plan.rules] or None,
                labels=labels,
                lifecycle=prevent_destroy(protected=plan.protected),
                depends_on=list(after),
            )
            set_arguments(bucket, plan)
            set_beyond(bucket, "deletion_policy", plan.deletion_policy)
            self.name = bucket.name
        self.grants = []
        if plan.role and account:
            grant = StorageBucketIamMember(
                self, "nodes", bucket=self.name, role=plan.role, member=account.member
            )
            self.grants.append(addressed(grant))
        for cache in plan.caches:
            addressed(
                StorageAnywhereCache(
                    self,
                    f"cache-{cache.zone}",
                    bucket=self.name,
                    zone=cache.zone,
                    ttl=f"{cache.ttl_seconds}s",
                )
            )

    def _suffixed(self, plan: BucketPlan) -> str:
        """The name with digits that are made once and stay in the state: other digits are another bucket."""
        digits = addressed(
            DataResource(
                self,
                "suffix",
                input={"digits": Fn.substr(Fn.uuid(), 0, plan.suffix_length)},
                lifecycle=TerraformResourceLifecycle(
                    ignore_changes=["input"], prevent_destroy=True if plan.protected else None
                ),
            )
        )
        return f"{plan.name}-{Token.as_string(Fn.lookup(digits.output, 'digits'))}"


def _rule(plan: BucketRulePlan) -> StorageBucketLifecycleRule:
    return StorageBucketLifecycleRule(
        action=StorageBucketLifecycleRuleAction(
            type="SetStorageClass" if plan.storage_class else "Delete",
            storage_class=plan.storage_class or None,
        ),
        condition=StorageBucketLifecycleRuleCondition(
            age=plan.age_days,
            matches_prefix=[plan.prefix] if plan.prefix else None,
            # What the API says of a rule that says nothing.
            with_state="ANY",
        ),
    )
