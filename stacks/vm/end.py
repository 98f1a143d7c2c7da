"""The end of a cluster, when its time to live is over."""

from collections.abc import Sequence

from cdktf import (
    DataResource,
    Fn,
    Op,
    Precondition,
    TerraformResource,
    TerraformResourceLifecycle,
    Token,
)
from cdktf_cdktf_provider_google.cloud_scheduler_job import (
    CloudSchedulerJob,
    CloudSchedulerJobHttpTarget,
    CloudSchedulerJobHttpTargetOauthToken,
    CloudSchedulerJobRetryConfig,
)
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from cdktf_cdktf_provider_google.service_account import ServiceAccount as GoogleServiceAccount
from cdktf_cdktf_provider_google.storage_bucket_iam_member import (
    StorageBucketIamMember,
    StorageBucketIamMemberCondition,
)
from cdktf_cdktf_provider_google.storage_bucket_object import StorageBucketObject
from constructs import Construct

from clusterprint.plan.vm_end import EndPlan, EndRequest, NoticePlan
from stacks.addresses import addressed
from stacks.google.custom_role import role_of_one_life
from stacks.google.service_account import ServiceAccount

# Minute, hour, day and month, as Cloud Scheduler reads them; a time to live is shorter than a year.
_MOMENT = "m h D M *"


class End(Construct):
    """One job of Cloud Scheduler for each group, and an object that tells the nodes when.

    The moment is counted from when Terraform first made this, and is remembered in the state: nodes that are
    recreated do not begin it anew. `resources` have to be there before the first node, so that none is left
    without an end.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        region: str,
        nodes: ServiceAccount,
        after: Sequence[TerraformResource],
        plan: EndPlan,
    ) -> None:
        super().__init__(scope, id)
        begun = addressed(
            DataResource(
                self,
                "begun",
                input={"at": Fn.timestamp()},
                lifecycle=TerraformResourceLifecycle(ignore_changes=["input"]),
            )
        )
        since = Token.as_string(Fn.lookup(begun.output, "at"))
        self._moment = Token.as_string(Fn.timeadd(since, f"{plan.seconds}s"))
        self._email, may_end = self._account(project, after, plan)
        self.resources: list[TerraformResource] = [
            may_end,
            *(self._job(region, each, after, plan) for each in plan.requests),
            *(self._tell(plan.notice, nodes, plan) if plan.notice else []),
        ]

    def _account(
        self, project: str, after: Sequence[TerraformResource], plan: EndPlan
    ) -> tuple[str, TerraformResource]:
        """Who ends the cluster, an account that can do that and nothing else; and what lets it."""
        account = addressed(
            GoogleServiceAccount(
                self,
                "account",
                account_id=plan.account_id,
                display_name=plan.display_name,
                depends_on=list(after),
            )
        )
        role = role_of_one_life(
            self,
            "role",
            role_id=plan.role_id,
            title=plan.role_title,
            permissions=list(plan.permissions),
            after=after,
        )
        grant = addressed(
            ProjectIamMember(
                self,
                "grant",
                project=project,
                role=role.name,
                member=f"serviceAccount:{account.email}",
            )
        )
        return account.email, grant

    def _job(
        self, region: str, request: EndRequest, after: Sequence[TerraformResource], plan: EndPlan
    ) -> CloudSchedulerJob:
        wanted: dict[str, object] = {"instances": list(request.instances)}
        if request.skip_missing:
            wanted["skipInstancesOnValidationError"] = True
        return addressed(
            CloudSchedulerJob(
                self,
                f"job-{request.key}" if request.key else "job",
                name=request.job,
                region=region,
                schedule=Token.as_string(Fn.formatdate(_MOMENT, self._moment)),
                time_zone="Etc/UTC",
                http_target=CloudSchedulerJobHttpTarget(
                    uri=request.uri,
                    http_method="POST",
                    headers={"Content-Type": "application/json"},
                    body=Token.as_string(Fn.base64encode(Token.as_string(Fn.jsonencode(wanted)))),
                    oauth_token=CloudSchedulerJobHttpTargetOauthToken(service_account_email=self._email),
                ),
                retry_config=CloudSchedulerJobRetryConfig(
                    retry_count=plan.retry.count,
                    min_backoff_duration=f"{plan.retry.first_seconds}s",
                    max_backoff_duration=f"{plan.retry.most_seconds}s",
                ),
                depends_on=list(after),
                lifecycle=TerraformResourceLifecycle(
                    precondition=[
                        Precondition(
                            # Known when Terraform plans, unlike the time of the apply: nothing is begun.
                            condition=Op.eq(Fn.timecmp(Fn.plantimestamp(), self._moment), -1),
                            error_message=f"{plan.message} {self._moment}.",
                        )
                    ]
                ),
            )
        )

    def _tell(self, notice: NoticePlan, nodes: ServiceAccount, plan: EndPlan) -> list[TerraformResource]:
        name = f"projects/_/buckets/{notice.bucket}/objects/{notice.object}"
        told = addressed(
            StorageBucketObject(
                self,
                "notice",
                bucket=notice.bucket,
                name=notice.object,
                content=f"{self._moment} {plan.action}\n",
                content_type="text/plain",
            )
        )
        grant = addressed(
            StorageBucketIamMember(
                self,
                "reader",
                bucket=notice.bucket,
                role="roles/storage.objectViewer",
                member=nodes.member,
                condition=StorageBucketIamMemberCondition(
                    title="when the cluster ends",
                    expression=f'resource.name == "{name}"',
                ),
            )
        )
        return [told, grant]
