"""The plan of the TPU provisioner."""

from clusterprint.plan.kubernetes import ChartPlan, ProgramPlan, RightPlan
from clusterprint.plan.part import PlanPart


class OwnCertificatePlan(PlanPart, frozen=True, kw_only=True):
    """A certificate that the webhook itself looks after, kept in `secret`.

    `account` is who it is in the cluster for that; its rights are those `everywhere` and those `at_home`.
    """

    secret: str
    account: str
    everywhere: tuple[RightPlan, ...]
    at_home: tuple[RightPlan, ...]


class ProvisionerWebhookPlan(PlanPart, frozen=True, kw_only=True):
    """The webhook with its settings, and who looks after its certificate: itself, or cert-manager.

    cert-manager keeps it in `program.secret`. The webhook is asked at `path` of `port`, and has
    `timeout_seconds` to answer; `configuration` tells the API server so. Where jobs are `queued`, it is also
    asked about JobSets, and about jobs when they are resumed.
    """

    name: str
    program: ProgramPlan
    port: int
    path: str
    timeout_seconds: int
    settings: dict[str, str]
    configuration: str
    queued: bool
    cert_manager: ChartPlan | None
    own: OwnCertificatePlan | None


class ProvisionerPlan(PlanPart, frozen=True, kw_only=True):
    """The controller: who it is at Google, what it may do there, and its settings, as environment.

    It may also be `node_account`, which its nodes are. `account` is who it is in the cluster, and what it is
    called there, in `namespace`; its rights are those `everywhere` in the cluster, and those `at_home`.
    """

    namespace: str
    account: str
    program: ProgramPlan
    account_id: str
    role_id: str
    permissions: tuple[str, ...]
    everywhere: tuple[RightPlan, ...]
    at_home: tuple[RightPlan, ...]
    workload_pool: str
    node_account: str
    settings: dict[str, str]
    webhook: ProvisionerWebhookPlan | None
