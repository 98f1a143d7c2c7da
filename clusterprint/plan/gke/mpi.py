"""The plan of MPI jobs."""

from typing import Literal

from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.jobs import ComputeDomainPlan, JobFilesPlan
from clusterprint.plan.kubernetes import DeviceClaimPlan, FabricPlan, ProgramPlan, TolerationPlan
from clusterprint.plan.part import PlanPart

CleanPods = Literal["Running", "All", "None"]
Implementation = Literal["OpenMPI", "Intel", "MPICH"]


class MpiPodsPlan(PlanPart, frozen=True, kw_only=True):
    """Settings that launcher and workers share; an empty `working_dir` is the image's.

    `grace_seconds` is how long they have to end, 0 the usual time.
    """

    image: str
    working_dir: str
    env: dict[str, str]
    user_id: int | None
    service_account: str
    grace_seconds: int


class MpiLauncherPlan(PlanPart, frozen=True, kw_only=True):
    """The launcher: its command, variables for it alone, and the nodes with labels `nodes`, or any.

    `requests` and `limits` are quantities of Kubernetes.
    """

    command: tuple[str, ...]
    env: dict[str, str]
    nodes: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]
    requests: dict[str, str]
    limits: dict[str, str]
    volumes: PodVolumesPlan


class MpiWorkersPlan(PlanPart, frozen=True, kw_only=True):
    """The workers: each on a node of its own, of those with the labels `nodes`.

    0 leaves an amount to the node; sizes are in GB.
    """

    count: int
    ssh_port: int
    command: tuple[str, ...]
    nodes: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]
    gpus: int
    cpus: int
    memory_gb: int
    shared_memory_gb: int
    shared_memory_path: str
    fabric: FabricPlan | None
    claim: DeviceClaimPlan | None
    volumes: PodVolumesPlan
    annotations: dict[str, str]


class MpiJobPlan(PlanPart, frozen=True, kw_only=True):
    """A run of a job. `key` is the job's name, `name` that of this very run: other content, other name.

    `container` is the name of the program's container. `deadline_seconds` 0 is no time limit; without `queue`
    labels it starts immediately.
    """

    key: str
    name: str
    namespace: str
    container: str
    pods: MpiPodsPlan
    launcher: MpiLauncherPlan
    workers: MpiWorkersPlan
    slots: int
    implementation: Implementation
    ssh_path: str
    files: JobFilesPlan | None
    clean_pods: CleanPods
    deadline_seconds: int
    retries: int
    queue: dict[str, str]
    domain: ComputeDomainPlan | None


class MpiPlan(PlanPart, frozen=True, kw_only=True):
    """The MPI operator in a namespace of its own, and the jobs."""

    operator_namespace: str
    operator: ProgramPlan
    jobs: tuple[MpiJobPlan, ...]
