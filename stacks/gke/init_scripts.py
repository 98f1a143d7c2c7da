"""Scripts that nodes of pools run when they are made."""

from collections.abc import Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.container_node_pool import ContainerNodePool
from cdktf_cdktf_provider_google.storage_bucket_iam_member import (
    StorageBucketIamMember,
    StorageBucketIamMemberCondition,
)
from cdktf_cdktf_provider_google.storage_bucket_object import StorageBucketObject
from constructs import Construct

from clusterprint.plan.gke.cluster import InitScriptPlan
from stacks.addresses import addressed
from stacks.google.provider import set_beyond
from stacks.google.service_account import ServiceAccount


class InitScripts(Construct):
    """One object for each pool; the nodes may read these and nothing else: the bucket holds Terraform state.

    `grants` have to be there before the first node.
    """

    def __init__(
        self, scope: Construct, id: str, *, account: ServiceAccount, plans: Sequence[InitScriptPlan]
    ) -> None:
        super().__init__(scope, id)
        self._objects = {
            each.pool: addressed(
                StorageBucketObject(
                    self,
                    f"pool-{each.pool}",
                    bucket=each.bucket,
                    name=each.object,
                    content=each.text,
                    content_type="text/x-shellscript",
                    # Nodes that come in between still find the one before.
                    lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
                )
            )
            for each in plans
        }
        prefix = f"projects/_/buckets/{plans[0].bucket}/objects/{plans[0].prefix}"
        grant = StorageBucketIamMember(
            self,
            "nodes",
            bucket=plans[0].bucket,
            role="roles/storage.objectViewer",
            member=account.member,
            condition=StorageBucketIamMemberCondition(
                title="init scripts only", expression=f'resource.name.startsWith("{prefix}")'
            ),
        )
        self.grants: list[TerraformResource] = [addressed(grant)]

    def run_by(self, pool: ContainerNodePool, group: str) -> None:
        """Have the nodes of a pool run the script of their group, if it has one, in exactly this version."""
        found = self._objects.get(group)
        if found is not None:
            script = {
                "gcs_uri": f"gs://{found.bucket}/{found.name}",
                "gcs_generation": found.generation,
            }
            set_beyond(pool, "node_config.linux_node_config.custom_node_init", {"init_script": script})
