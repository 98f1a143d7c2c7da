"""The place where nodes agree on the head of Ray."""

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.storage_bucket_iam_member import (
    StorageBucketIamMember,
    StorageBucketIamMemberCondition,
)
from cdktf_cdktf_provider_google.storage_bucket_object import StorageBucketObject
from constructs import Construct

from clusterprint.plan.vm_nodes import RayPlan
from stacks.addresses import addressed
from stacks.google.service_account import ServiceAccount


class RayHead(Construct):
    """An object whose metadata the nodes change, and their right to do so; its content never changes.

    `resources` have to be there before the first node.
    """

    def __init__(self, scope: Construct, id: str, *, nodes: ServiceAccount, plan: RayPlan) -> None:
        super().__init__(scope, id)
        name = f"projects/_/buckets/{plan.bucket}/objects/{plan.object}"
        self.resources: list[TerraformResource] = [
            addressed(
                StorageBucketObject(
                    self,
                    "Default",
                    bucket=plan.bucket,
                    name=plan.object,
                    content="Its metadata says which node is the head of Ray.\n",
                    content_type="text/plain",
                    lifecycle=TerraformResourceLifecycle(ignore_changes=["metadata"]),
                )
            ),
            addressed(
                StorageBucketIamMember(
                    self,
                    "nodes",
                    bucket=plan.bucket,
                    role="roles/storage.objectUser",
                    member=nodes.member,
                    condition=StorageBucketIamMemberCondition(
                        title="who is the head of Ray",
                        expression=f'resource.name == "{name}"',
                    ),
                )
            ),
        ]
