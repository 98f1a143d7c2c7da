"""Managed Lustres that are filled from buckets."""

from collections.abc import Mapping, Sequence

from cdktf import DataResource, LocalExecProvisioner, TerraformResource
from cdktf_cdktf_provider_google.data_google_project import DataGoogleProject
from cdktf_cdktf_provider_google.lustre_instance import LustreInstance
from cdktf_cdktf_provider_google.storage_bucket_iam_member import StorageBucketIamMember
from constructs import Construct

from clusterprint.plan.volumes import LustreImportPlan, LustreImportsPlan
from stacks.addresses import addressed


class LustreImports(Construct):
    """Runs a script that imports objects: once for each instance, bucket and path, when they may be read.

    Whoever needs the files waits for `resources`. `instances` are there by their volumes; `buckets` are the
    names of the cluster's own by those in the plan.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        instances: Mapping[str, LustreInstance],
        buckets: Mapping[str, str],
        after: Sequence[TerraformResource],
        plan: LustreImportsPlan,
    ) -> None:
        super().__init__(scope, id)
        self._buckets = buckets
        # Google's accounts are named by the project's number, which no blueprint has.
        project = addressed(
            DataGoogleProject(self, "project", project_id=plan.project, depends_on=list(after))
        )
        member = f"serviceAccount:service-{project.number}@{plan.agent}.iam.gserviceaccount.com"
        readers = {
            bucket: addressed(
                StorageBucketIamMember(
                    self,
                    f"reader-{bucket}",
                    bucket=self._name(bucket),
                    role=plan.role,
                    member=member,
                    # The first instance of a project brings the account.
                    depends_on=[instances[each.volume] for each in plan.imports if each.bucket == bucket],
                )
            )
            for bucket in sorted({each.bucket for each in plan.imports})
        }
        self.resources = [
            self._import(each, instances[each.volume], readers[each.bucket]) for each in plan.imports
        ]

    def _name(self, bucket: str) -> str:
        return self._buckets.get(bucket, bucket)

    def _import(
        self, plan: LustreImportPlan, instance: LustreInstance, reader: TerraformResource
    ) -> TerraformResource:
        bucket = self._name(plan.bucket)
        return addressed(
            DataResource(
                self,
                plan.volume,
                # A recreated instance is empty, and has the same id as before.
                triggers_replace={"instance": instance.create_time, "bucket": bucket, "path": plan.path},
                depends_on=[reader],
                provisioners=[
                    LocalExecProvisioner(
                        type="local-exec",
                        interpreter=["bash"],
                        command=plan.script,
                        environment={**plan.environment, "BUCKET": bucket},
                        working_dir="${path.module}",
                    )
                ],
            )
        )
