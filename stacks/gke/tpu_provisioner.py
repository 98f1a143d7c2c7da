"""The TPU provisioner: node pools that come and go with the jobs that need them."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from cdktf_cdktf_provider_google.service_account import ServiceAccount as GoogleServiceAccount
from cdktf_cdktf_provider_google.service_account_iam_member import ServiceAccountIamMember
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from cdktf_cdktf_provider_kubernetes.service_account_v1 import (
    ServiceAccountV1,
    ServiceAccountV1Metadata,
)
from constructs import Construct

from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan
from stacks.addresses import addressed
from stacks.gke.tpu_webhook import TpuWebhook
from stacks.google.custom_role import role_of_one_life
from stacks.kubernetes.controller import Controller
from stacks.kubernetes.rights import Rights, rights_of


class TpuProvisioner(Construct):
    """The controller with its identity at Google, its rights in the cluster, and its settings."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        after: Sequence[TerraformResource],
        plan: ProvisionerPlan,
    ) -> None:
        super().__init__(scope, id)
        identity = Identity(self, "identity", project=project, plan=plan)
        account = self._account(plan, identity.email, after)
        settings = self._settings(plan, after)
        rights = Rights(
            self,
            "rights",
            name="tpu-provisioner",
            namespace=plan.namespace,
            account=account.metadata.name,
            after=after,
            everywhere=rights_of(plan.everywhere),
            at_home=rights_of(plan.at_home),
        )
        self.resource = Controller(
            self,
            "Default",
            name=plan.account,
            namespace=plan.namespace,
            service_account=account.metadata.name,
            after=[settings, *identity.grants, *rights.grants],
            program=plan.program,
        ).resource
        if plan.webhook:
            TpuWebhook(self, "webhook", namespace=plan.namespace, after=after, plan=plan.webhook)

    def _account(
        self, plan: ProvisionerPlan, email: str, after: Sequence[TerraformResource]
    ) -> ServiceAccountV1:
        """Who it is in the cluster; there it acts as its account at Google."""
        return addressed(
            ServiceAccountV1(
                self,
                "account",
                metadata=ServiceAccountV1Metadata(
                    name=plan.account,
                    namespace=plan.namespace,
                    annotations={"iam.gke.io/gcp-service-account": email},
                ),
                depends_on=list(after),
            )
        )

    def _settings(self, plan: ProvisionerPlan, after: Sequence[TerraformResource]) -> TerraformResource:
        return addressed(
            ConfigMapV1(
                self,
                "settings",
                metadata=ConfigMapV1Metadata(name=plan.program.settings, namespace=plan.namespace),
                data=plan.settings,
                depends_on=list(after),
            )
        )


class Identity(Construct):
    """Who the controller is at Google: it may change clusters of the project, and be who nodes are."""

    def __init__(self, scope: Construct, id: str, *, project: str, plan: ProvisionerPlan) -> None:
        super().__init__(scope, id)
        account = addressed(
            GoogleServiceAccount(self, "Default", account_id=plan.account_id, display_name="TPU provisioner")
        )
        role = role_of_one_life(
            self,
            "role",
            role_id=plan.role_id,
            title="TPU provisioner",
            description="Creates and deletes node pools.",
            permissions=list(plan.permissions),
        )
        self.email = account.email
        member = f"serviceAccount:{account.email}"
        self.grants: list[TerraformResource] = [
            addressed(ProjectIamMember(self, "pools", project=project, role=role.name, member=member)),
            addressed(
                ServiceAccountIamMember(
                    self,
                    "nodes",
                    service_account_id=f"projects/-/serviceAccounts/{plan.node_account}",
                    role="roles/iam.serviceAccountUser",
                    member=member,
                )
            ),
            addressed(
                ServiceAccountIamMember(
                    self,
                    "workload",
                    service_account_id=account.name,
                    role="roles/iam.workloadIdentityUser",
                    member=f"serviceAccount:{plan.workload_pool}[{plan.namespace}/{plan.account}]",
                )
            ),
        ]
