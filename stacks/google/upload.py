"""Files that are carried to the nodes through the state bucket."""

from pathlib import Path

from cdktf import TerraformIterator, Token
from cdktf_cdktf_provider_google.storage_bucket_iam_member import (
    StorageBucketIamMember,
    StorageBucketIamMemberCondition,
)
from cdktf_cdktf_provider_google.storage_bucket_object import StorageBucketObject
from constructs import Construct

from clusterprint.checked_files import copy
from clusterprint.plan.google import UploadPlan
from stacks.addresses import addressed
from stacks.google.service_account import ServiceAccount


class Upload(Construct):
    """One object for each file, below the cluster's own folder of the bucket.

    The nodes may read that folder and nothing else: the bucket also holds Terraform state.
    """

    def __init__(self, scope: Construct, id: str, *, account: ServiceAccount, plan: UploadPlan) -> None:
        super().__init__(scope, id)
        files = TerraformIterator.from_map({each.path: each.md5 for each in plan.objects})
        self.resource = StorageBucketObject(
            self,
            "Default",
            for_each=files,
            bucket=plan.bucket,
            name=f"{plan.prefix}{files.key}",
            source=f"{FOLDER}/{files.key}",
            source_md5_hash=Token.as_string(files.value),
        )
        self.grant = addressed(
            StorageBucketIamMember(
                self,
                "nodes",
                bucket=plan.bucket,
                role="roles/storage.objectViewer",
                member=account.member,
                condition=StorageBucketIamMemberCondition(
                    title="cluster files only",
                    expression="resource.name.startsWith("
                    f'"projects/_/buckets/{plan.bucket}/objects/{plan.prefix}")',
                ),
            )
        )


# Where Terraform finds the files: below the folder of the stack, so that no path of a machine is written.
FOLDER = "files"


def copy_files(plan: UploadPlan, source: Path, stack_folder: Path) -> None:
    """Put the files where Terraform will look for them, as they were when the plan was made."""
    for each in plan.objects:
        copy(source / each.source, source, stack_folder / FOLDER / each.path, each.md5)
