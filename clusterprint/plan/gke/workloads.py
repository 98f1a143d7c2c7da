"""The plan of the stack `<name>-workloads`: what runs inside a GKE cluster."""

from typing import ClassVar

from clusterprint.plan.claims import ClaimsPlan
from clusterprint.plan.gke.checkpoints import CheckpointsPlan
from clusterprint.plan.gke.cluster import ComputeClassPlan
from clusterprint.plan.gke.inference import InferencePlan
from clusterprint.plan.gke.mpi import MpiPlan
from clusterprint.plan.gke.pod_groups import JobSetPlan, LeaderWorkerSetPlan
from clusterprint.plan.gke.queues import QueuesPlan
from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan
from clusterprint.plan.kubernetes import (
    ChartPlan,
    ClusterAccessPlan,
    DeviceClaimPlan,
    DeviceInjectorPlan,
    InterfaceProgramPlan,
    NetworkObjectPlan,
    ObjectsPlan,
    PluginPlan,
    ReachedPlan,
    ScrapePlan,
    ServiceAccountObjectPlan,
)
from clusterprint.plan.part import PlanPart, StackPlan
from clusterprint.plan.state import StatePlan


class WorkloadsOutputsPlan(PlanPart, frozen=True, kw_only=True):
    """The outputs of the stack: `queues` are names by namespace, `runs` are those of jobs by job."""

    connect: tuple[str, ...]
    submit: tuple[str, ...]
    queues: dict[str, str]
    runs: dict[str, str]
    results: tuple[str, ...]
    state: str


class GkeWorkloadsPlan(StackPlan, frozen=True, kw_only=True):
    """The stack with the workloads of a Kubernetes cluster, called `name`.

    `device_claims` are by namespace, as are `namespace_labels`, also of namespaces that are not made here.
    """

    module: ClassVar[str] = "gke.workloads"
    has_objects: ClassVar[bool] = True

    google_provider: str
    project: str
    region: str
    state: StatePlan
    access: ClusterAccessPlan
    reached: ReachedPlan
    namespaces: tuple[str, ...]
    namespace_labels: dict[str, dict[str, str]]
    service_accounts: tuple[ServiceAccountObjectPlan, ...]
    networks: tuple[NetworkObjectPlan, ...]
    plugins: tuple[PluginPlan, ...]
    device_injectors: tuple[DeviceInjectorPlan, ...]
    interface_programs: tuple[InterfaceProgramPlan, ...]
    device_claims: dict[str, tuple[DeviceClaimPlan, ...]]
    compute_classes: tuple[ComputeClassPlan, ...]
    claims: ClaimsPlan
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
