"""The plan of MPI jobs."""

from typing import Literal

from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.kubernetes import FabricPlan, ProgramPlan, TolerationPlan
from clusterprint.plan.slice import Slice

CleanPods = Literal["Running", "All", "None"]
Implementation = Literal["OpenMPI", "Intel", "MPICH"]


class MpiFilesPlan(Slice, frozen=True, kw_only=True):
    """Files of a job: the content by key, as text or in base64, and where each key lands."""

    config_map: str
    texts: dict[str, str]
    binaries: dict[str, str]
    destinations: dict[str, str]


class MpiPodsPlan(Slice, frozen=True, kw_only=True):
    """What launcher and workers have in common; an empty `working_dir` is the image's."""

    image: str
    working_dir: str
    env: dict[str, str]
    user_id: int | None
    service_account: str


class MpiLauncherPlan(Slice, frozen=True, kw_only=True):
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


class MpiWorkersPlan(Slice, frozen=True, kw_only=True):
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
    volumes: PodVolumesPlan


class MpiJobPlan(Slice, frozen=True, kw_only=True):
    """A run of a job. `key` is the job's name, `name` that of this very run: other content, other name.

    `deadline_seconds` 0 is no time limit; an empty `queue` is none.
    """

    key: str
    name: str
    namespace: str
    pods: MpiPodsPlan
    launcher: MpiLauncherPlan
    workers: MpiWorkersPlan
    slots: int
    implementation: Implementation
    ssh_path: str
    files: MpiFilesPlan | None
    clean_pods: CleanPods
    deadline_seconds: int
    retries: int
    queue: str


class MpiPlan(Slice, frozen=True, kw_only=True):
    """The MPI operator in a namespace of its own, and the jobs."""

    operator_namespace: str
    operator: ProgramPlan
    jobs: tuple[MpiJobPlan, ...]
