"""The plan of the TPU provisioner."""

from clusterprint.plan.kubernetes import ChartPlan, ProgramPlan, RightPlan
from clusterprint.plan.slice import Slice


class ProvisionerWebhookPlan(Slice, frozen=True, kw_only=True):
    """The webhook with its settings, and what makes its certificate: `program.secret`.

    It is asked at `path` of `port`, and has `timeout_seconds` to answer.
    """

    name: str
    program: ProgramPlan
    port: int
    path: str
    timeout_seconds: int
    settings: dict[str, str]
    cert_manager: ChartPlan


class ProvisionerPlan(Slice, frozen=True, kw_only=True):
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
