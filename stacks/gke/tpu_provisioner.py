"""The TPU provisioner: node pools that come and go with the jobs that need them."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.project_iam_custom_role import ProjectIamCustomRole
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
from stacks.kubernetes.controller import Controller, Probe, Program
from stacks.kubernetes.rights import Right, Rights

NAMESPACE = "tpu-provisioner-system"
_ACCOUNT = "tpu-provisioner-controller-manager"
_SETTINGS = "tpu-provisioner-manager"

# It looks at pods, at nodes and at the JobSets that they belong to, and tells what it does as events.
_EVERYWHERE = (
    Right("", ["pods", "nodes"], ["get", "list", "watch"]),
    Right("", ["events"], ["create", "patch"]),
    Right("jobset.x-k8s.io", ["jobsets"], ["get", "list", "watch"]),
)

# Which of several it is that works.
_AT_HOME = (
    Right("", ["configmaps"], ["get", "list", "watch", "create", "update", "patch", "delete"]),
    Right("coordination.k8s.io", ["leases"], ["get", "list", "watch", "create", "update", "patch", "delete"]),
    Right("", ["events"], ["create", "patch"]),
)


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
        account = self._account(identity.email, after)
        settings = self._settings(plan, after)
        rights = Rights(
            self,
            "rights",
            name="tpu-provisioner",
            namespace=NAMESPACE,
            account=account.metadata.name,
            after=after,
            everywhere=_EVERYWHERE,
            at_home=_AT_HOME,
        )
        self.resource = Controller(
            self,
            "Default",
            name=_ACCOUNT,
            namespace=NAMESPACE,
            service_account=account.metadata.name,
            after=[settings, *identity.grants, *rights.grants],
            program=_program(plan),
        ).resource
        if plan.webhook:
            TpuWebhook(self, "webhook", namespace=NAMESPACE, after=after, plan=plan.webhook)

    def _account(self, email: str, after: Sequence[TerraformResource]) -> ServiceAccountV1:
        """Who it is in the cluster; there it acts as its account at Google."""
        return addressed(
            ServiceAccountV1(
                self,
                "account",
                metadata=ServiceAccountV1Metadata(
                    name=_ACCOUNT,
                    namespace=NAMESPACE,
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
                metadata=ConfigMapV1Metadata(name=_SETTINGS, namespace=NAMESPACE),
                data=plan.settings,
                depends_on=list(after),
            )
        )


class Identity(Construct):
    """Who the controller is at Google: it may change node pools, and be who nodes are; nothing else."""

    def __init__(self, scope: Construct, id: str, *, project: str, plan: ProvisionerPlan) -> None:
        super().__init__(scope, id)
        account = addressed(
            GoogleServiceAccount(self, "Default", account_id=plan.account_id, display_name="TPU provisioner")
        )
        role = addressed(
            ProjectIamCustomRole(
                self,
                "role",
                role_id=plan.role_id,
                title="TPU provisioner",
                description="Creates and deletes node pools.",
                permissions=list(plan.permissions),
            )
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
                    member=f"serviceAccount:{plan.workload_pool}[{NAMESPACE}/{_ACCOUNT}]",
                )
            ),
        ]


def _program(plan: ProvisionerPlan) -> Program:
    return Program(
        image=plan.image,
        command=["/manager"],
        args=["--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=:8080"],
        settings=_SETTINGS,
        checksum=plan.checksum,
        alive=Probe("/healthz", 8081, 15, 20),
        ready=Probe("/readyz", 8081, 5, 10),
        resources={"cpu": "1", "memory": "1Gi"},
        # Only there does it get to be who it is at Google.
        nodes={"iam.gke.io/gke-metadata-server-enabled": "true"},
        grace_seconds=10,
    )
