"""The plan of the stack `<name>-workloads`: what runs inside a GKE cluster."""

from typing import ClassVar

from clusterprint.plan.gke.checkpoints import CheckpointsPlan
from clusterprint.plan.gke.inference import InferencePlan
from clusterprint.plan.gke.mpi import MpiPlan
from clusterprint.plan.gke.pod_groups import JobSetPlan, LeaderWorkerSetPlan
from clusterprint.plan.gke.queues import QueuesPlan
from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan
from clusterprint.plan.in_cluster import InClusterPlan
from clusterprint.plan.kubernetes import (
    ChartPlan,
    ObjectsPlan,
    ScrapePlan,
)
from clusterprint.plan.part import PlanPart


class WorkloadsOutputsPlan(PlanPart, frozen=True, kw_only=True):
    """The outputs of the stack: `queues` are names by namespace, `runs` are those of jobs by job."""

    connect: tuple[str, ...]
    submit: tuple[str, ...]
    queues: dict[str, str]
    runs: dict[str, str]
    results: tuple[str, ...]
    state: str


class GkeWorkloadsPlan(InClusterPlan, frozen=True, kw_only=True):
    """The stack with the workloads of a Kubernetes cluster, called `name`.

    `device_claims` are by namespace, as are `namespace_labels`, also of namespaces that are not made here.
    """

    module: ClassVar[str] = "gke.workloads"

    google_provider: str
    namespace_labels: dict[str, dict[str, str]]
    checkpoints: CheckpointsPlan | None
    charts: tuple[ChartPlan, ...]
    queues: QueuesPlan | None
    mpi: MpiPlan | None
    jobsets: tuple[JobSetPlan, ...]
    leader_worker_sets: tuple[LeaderWorkerSetPlan, ...]
    provisioner: ProvisionerPlan | None
    scrapes: tuple[ScrapePlan, ...]
    inference: InferencePlan | None
    own_charts: tuple[ChartPlan, ...]
    definitions: ObjectsPlan | None
    manifests: ObjectsPlan | None
    outputs: WorkloadsOutputsPlan
