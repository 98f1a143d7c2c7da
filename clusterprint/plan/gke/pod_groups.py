"""The plans of programs of several pods: JobSets, TrainJobs and LeaderWorkerSets."""

from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.checkpoints import CheckpointFolderPlan
from clusterprint.plan.gke.jobs import ComputeDomainPlan, JobFilesPlan
from clusterprint.plan.kubernetes import DeviceClaimPlan, FabricPlan, TolerationPlan
from clusterprint.plan.part import PlanPart


class GroupPodPlan(PlanPart, frozen=True, kw_only=True):
    """Each pod of a group, on a node of its own.

    `container` is the name of the program's container. `fields` are variables that hold a field of the pod
    itself. `requests` and `limits` are quantities of Kubernetes; 0 and empty texts leave something out.
    `annotations` are for the scheduler of queues, `grace_seconds` for the end of the pod.
    """

    container: str
    image: str
    env: dict[str, str]
    fields: dict[str, str]
    working_dir: str
    user_id: int | None
    service_account: str
    nodes: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]
    annotations: dict[str, str]
    requests: dict[str, str]
    limits: dict[str, str]
    shared_memory_gb: int
    shared_memory_path: str
    fabric: FabricPlan | None
    claim: DeviceClaimPlan | None
    files: JobFilesPlan | None
    volumes: PodVolumesPlan
    grace_seconds: int
    checkpoints: CheckpointFolderPlan | None = None


class TrainerPlan(PlanPart, frozen=True, kw_only=True):
    """The ML policy of Kubeflow Trainer, by its key, and the processes per pod; 0 are not counted."""

    policy: str
    processes: int


class JobSetPlan(PlanPart, frozen=True, kw_only=True):
    """A run of a JobSet. `key` is its name, `name` that of this very run, `job` that of its jobs.

    With a `trainer`, it is a TrainJob, of which Trainer makes the JobSet.

    `exclusive` is the label of nodes that each replica has for itself, or empty. `deadline_seconds` 0 is no
    time limit; without `queue` labels it starts immediately.
    """

    key: str
    name: str
    namespace: str
    job: str
    command: tuple[str, ...]
    pod: GroupPodPlan
    replicas: int
    pods: int
    exclusive: str
    retries: int
    deadline_seconds: int
    queue: dict[str, str]
    domain: ComputeDomainPlan | None
    trainer: TrainerPlan | None = None

    @property
    def container(self) -> str:
        """The name of the program's container."""
        return self.pod.container


class LeaderWorkerSetPlan(PlanPart, frozen=True, kw_only=True):
    """A LeaderWorkerSet; `port` 0 is no service, an empty `exclusive` no nodes of one's own.

    `service` leads to the pods with the labels `leaders`, `members` are those of all its pods.
    """

    name: str
    namespace: str
    leader_command: tuple[str, ...]
    worker_command: tuple[str, ...]
    pod: GroupPodPlan
    replicas: int
    size: int
    exclusive: str
    port: int
    service: str
    leaders: dict[str, str]
    members: dict[str, str]
    queue: dict[str, str]
    domain: ComputeDomainPlan | None
