"""The plan of the TPU provisioner."""

from clusterprint.plan.kubernetes import ChartPlan
from clusterprint.plan.slice import Slice


class ProvisionerWebhookPlan(Slice, frozen=True, kw_only=True):
    """The webhook with its settings, their checksum, and what makes its certificate."""

    image: str
    settings: dict[str, str]
    checksum: str
    cert_manager: ChartPlan


class ProvisionerPlan(Slice, frozen=True, kw_only=True):
    """The controller: who it is at Google, what it may do there, and its settings, as environment.

    It may also be `node_account`, which its nodes are. Another `checksum` of the settings restarts it.
    """

    image: str
    account_id: str
    role_id: str
    permissions: tuple[str, ...]
    workload_pool: str
    node_account: str
    settings: dict[str, str]
    checksum: str
    webhook: ProvisionerWebhookPlan | None
