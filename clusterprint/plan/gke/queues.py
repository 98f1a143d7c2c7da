"""The plan of queues."""

from typing import Literal

from clusterprint.plan.kubernetes import ChartPlan, TolerationPlan
from clusterprint.plan.part import PlanPart

WithinQueue = Literal["Never", "LowerPriority", "LowerOrNewerEqualPriority"]
Reclaim = Literal["Never", "LowerPriority", "Any"]


class TopologyPlan(PlanPart, frozen=True, kw_only=True):
    """How far nodes are from each other, by their labels: the widest level first."""

    name: str
    levels: tuple[str, ...]


class FlavorPlan(PlanPart, frozen=True, kw_only=True):
    """The nodes of a pool as a kind of resource; an empty `topology` is none.

    `taints` keep pods away that do not tolerate them (NoSchedule).
    """

    name: str
    labels: dict[str, str]
    taints: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]
    topology: str


class QuotaPlan(PlanPart, frozen=True, kw_only=True):
    """How much of each resource of a flavor belongs to a queue.

    `borrow` is what it may use beyond, `lend` what others may use of it; None is no limit.
    """

    flavor: str
    amounts: dict[str, str]
    borrow: dict[str, str] | None
    lend: dict[str, str] | None


class PreemptionPlan(PlanPart, frozen=True, kw_only=True):
    """Which running jobs give way to waiting ones."""

    within_queue: WithinQueue
    reclaim: Reclaim


class ClusterQueuePlan(PlanPart, frozen=True, kw_only=True):
    """A Kueue ClusterQueue. Those of one `cohort` lend each other idle quota; an empty one is none."""

    name: str
    quotas: tuple[QuotaPlan, ...]
    cohort: str
    preemption: PreemptionPlan | None


class ProvisioningPlan(PlanPart, frozen=True, kw_only=True):
    """Nodes that come only when a job is admitted, all of them at once, for so many seconds at most.

    They are labelled `node_label`, with what the request's detail of the name `node_label_value` says. A
    request that fails is repeated `retries` times, after waits that grow from the first to the longest.
    """

    name: str
    flavor: str
    resources: tuple[str, ...]
    retries: int
    first_wait_seconds: int
    longest_wait_seconds: int
    max_run_seconds: int
    node_label: str
    node_label_value: str


class LocalQueuePlan(PlanPart, frozen=True, kw_only=True):
    """Where the jobs of a namespace are submitted to, and whose quotas they use."""

    name: str
    namespace: str
    cluster_queue: str


class QueuesPlan(PlanPart, frozen=True, kw_only=True):
    """Kueue and its queues.

    `resources` are what each flavor has a quota of, `priorities` values by name.
    """

    chart: ChartPlan
    api_version: Literal["v1beta1", "v1beta2"]
    resources: tuple[str, ...]
    topology: TopologyPlan | None
    flavors: tuple[FlavorPlan, ...]
    cluster_queues: tuple[ClusterQueuePlan, ...]
    provisioning: tuple[ProvisioningPlan, ...]
    local_queues: tuple[LocalQueuePlan, ...]
    priorities: dict[str, int]
