"""The plan of queues."""

from typing import Literal

from clusterprint.plan.kubernetes import ChartPlan, TolerationPlan
from clusterprint.plan.slice import Slice


class FlavorPlan(Slice, frozen=True, kw_only=True):
    """The nodes of a pool as a kind of resource, and how much of each resource may be used."""

    name: str
    labels: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]
    quotas: dict[str, str]


class ProvisioningPlan(Slice, frozen=True, kw_only=True):
    """Nodes that come only when a job is admitted, all of them at once, for so many seconds at most.

    They are labelled `node_label`, with what the request's detail of the name `node_label_value` says.
    """

    name: str
    flavor: str
    resources: tuple[str, ...]
    max_run_seconds: int
    node_label: str
    node_label_value: str


class LocalQueuePlan(Slice, frozen=True, kw_only=True):
    """Where the jobs of a namespace are submitted to."""

    name: str
    namespace: str


class QueuesPlan(Slice, frozen=True, kw_only=True):
    """Kueue, with one cluster queue over all flavors. `resources` are what each flavor has a quota of."""

    chart: ChartPlan
    api_version: Literal["v1beta1", "v1beta2"]
    cluster_queue: str
    resources: tuple[str, ...]
    flavors: tuple[FlavorPlan, ...]
    provisioning: tuple[ProvisioningPlan, ...]
    local_queues: tuple[LocalQueuePlan, ...]
