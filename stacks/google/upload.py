"""Files that are carried to the nodes through the state bucket."""

from pathlib import Path

from cdktf import TerraformIterator, TerraformResource, Token
from cdktf_cdktf_provider_google.storage_bucket_iam_member import (
    StorageBucketIamMember,
    StorageBucketIamMemberCondition,
)
from cdktf_cdktf_provider_google.storage_bucket_object import StorageBucketObject
from constructs import Construct

from clusterprint.files.checked import copy
from clusterprint.plan.google import UploadPlan
from stacks.addresses import addressed
from stacks.google.service_account import ServiceAccount


class Upload(Construct):
    """One object for each file, below the cluster's own folder of the bucket, and a list for nodes.

    The nodes may read these and nothing else: the bucket also holds Terraform state. `resources` have to be
    there before the first node boots.
    """

    def __init__(self, scope: Construct, id: str, *, account: ServiceAccount, plan: UploadPlan) -> None:
        super().__init__(scope, id)
        files = TerraformIterator.from_map({each.path: each.md5 for each in plan.objects})
        objects = StorageBucketObject(
            self,
            "Default",
            for_each=files,
            bucket=plan.bucket,
            name=f"{plan.prefix}{files.key}",
            source=f"{FOLDER}/{files.key}",
            source_md5_hash=Token.as_string(files.value),
        )
        grant = addressed(
            StorageBucketIamMember(
                self,
                "nodes",
                bucket=plan.bucket,
                role="roles/storage.objectViewer",
                member=account.member,
                condition=StorageBucketIamMemberCondition(
                    title="cluster files only",
                    expression=_expression(plan),
                ),
            )
        )
        self.resources: list[TerraformResource] = [objects, grant]
        texts = [
            addressed(
                StorageBucketObject(
                    self,
                    each.key,
                    bucket=plan.bucket,
                    name=f"{plan.prefix}{each.path}",
                    content=each.text,
                    content_type="text/plain",
                )
            )
            for each in plan.texts
        ]
        self.resources += texts
        if plan.manifest_object:
            listed = StorageBucketObject(
                self,
                "manifest",
                bucket=plan.bucket,
                name=plan.manifest_object,
                content=plan.manifest,
                content_type="text/plain",
                # Nodes that run look at it every few minutes, and then find what it lists.
                depends_on=[objects, *texts],
            )
            self.resources.append(addressed(listed))


def _expression(plan: UploadPlan) -> str:
    """Permissions of nodes to read and list objects; listing is granted on the bucket, by prefix."""
    objects = f"projects/_/buckets/{plan.bucket}/objects/"
    allowed = [
        f'resource.name.startsWith("{objects}{plan.prefix}")',
        f'api.getAttribute("storage.googleapis.com/objectListPrefix", "").startsWith("{plan.prefix}")',
    ]
    if plan.manifest_object:
        allowed.append(f'resource.name == "{objects}{plan.manifest_object}"')
    return " || ".join(allowed)


# Where Terraform finds the files: below the folder of the stack, so that no path of a machine is written.
FOLDER = "files"


def copy_files(plan: UploadPlan, source: Path, stack_folder: Path) -> None:
    """Put the files where Terraform will look for them, as they were when the plan was made."""
    for each in plan.objects:
        copy(source / each.source, source, stack_folder / FOLDER / each.path, each.md5)
