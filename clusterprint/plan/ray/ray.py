"""The plan of the stack `<name>-ray`: Ray inside its GKE cluster."""

from typing import ClassVar

from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.inference import InferencePlan
from clusterprint.plan.in_cluster import InClusterPlan
from clusterprint.plan.kubernetes import (
    ChartPlan,
    DeviceClaimPlan,
    FabricPlan,
    TolerationPlan,
)
from clusterprint.plan.part import PlanPart


class RayPodPlan(PlanPart, frozen=True, kw_only=True):
    """One Ray pod: where it runs, and what it has. Memory is in GiB; 0 leaves something out.

    `cpus`, `memory_gb`, `gpus` and `tpus` are both what it asks for and what it may use, and what Ray
    schedules by; with `ray_cpus` Ray is told another number of CPUs. `storage_gb` is space on
    the node's disks.
    """

    cpus: int
    ray_cpus: int
    memory_gb: int
    gpus: int
    tpus: int
    shared_memory_gb: int
    storage_gb: int
    node_selector: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]
    fabric: FabricPlan | None
    claim: DeviceClaimPlan | None
    volumes: PodVolumesPlan


class WorkerGroupPlan(PlanPart, frozen=True, kw_only=True):
    """Workers that are alike; `hosts` pods make up one replica, more than one for large TPU slices."""

    name: str
    min: int
    max: int
    hosts: int
    idle_seconds: int
    pod: RayPodPlan


class FaultTolerancePlan(PlanPart, frozen=True, kw_only=True):
    """Where the head keeps what it knows; `password_secret` may be empty."""

    redis_address: str
    password_secret: str


class ProxyPlan(PlanPart, frozen=True, kw_only=True):
    """The proxy beside the dashboard that lets only those through who may get the Ray cluster.

    `config` is its configuration, in the config map of this name, which it sees at `config_path`. `requests`
    and `limits` are quantities of Kubernetes.
    """

    image: str
    port: int
    config_map: str
    config: str
    config_path: str
    args: tuple[str, ...]
    requests: dict[str, str]
    limits: dict[str, str]
    user_id: int


class DashboardPlan(PlanPart, frozen=True, kw_only=True):
    """The internal load balancer of the dashboard; `host` and `certificate` may be empty.

    It sends requests to `port` of the head, which answers at `health_path` whether it is well.
    """

    name: str
    port: int
    health_path: str
    host: str
    certificate: str


class PodFoldersPlan(PlanPart, frozen=True, kw_only=True):
    """Where all Ray pods have their shared memory, heads their logs, and workers all that is temporary."""

    shared_memory: str
    logs: str
    temporary: str


class RayClusterSpecPlan(PlanPart, frozen=True, kw_only=True):
    """A Ray cluster: the blueprint's own, or that of a job or a service.

    `ports` are the head's by name; the config map `programs` is laid down at its `programs_path`.
    """

    version: str
    image: str
    service_account: str
    environment: dict[str, str]
    ports: dict[str, int]
    folders: PodFoldersPlan
    programs: str
    programs_path: str
    head: RayPodPlan
    groups: tuple[WorkerGroupPlan, ...]


class RayJobPlan(PlanPart, frozen=True, kw_only=True):
    """A run of a job. `runtime_env` is YAML, or empty; 0 seconds are forever.

    `head` and `groups` are those of its own cluster; without one there are none.
    """

    name: str
    run: str
    entrypoint: str
    runtime_env: str
    head: RayPodPlan | None
    groups: tuple[WorkerGroupPlan, ...]
    shutdown: bool
    keep_seconds: int
    limit_seconds: int
    retries: int


class RayServicePlan(PlanPart, frozen=True, kw_only=True):
    """Ray Serve applications, on a cluster of their own with `head` and `groups`; `config` is YAML."""

    name: str
    config: str
    head: RayPodPlan
    groups: tuple[WorkerGroupPlan, ...]


class ProgramsPlan(PlanPart, frozen=True, kw_only=True):
    """Programs that are laid down in the head, as a config map of this name."""

    name: str
    files: dict[str, str]


class RayOutputsPlan(PlanPart, frozen=True, kw_only=True):
    """The outputs of the stack."""

    connect: tuple[str, ...]
    submit: tuple[str, ...]
    dashboard: tuple[str, ...]
    runs: dict[str, str]
    image: str
    state: str


class RayPlan(InClusterPlan, frozen=True, kw_only=True):
    """Ray in its cluster: one stack, called `name`; `ray` is the name of the Ray cluster.

    `namespaces` are those to create, `namespace` is Ray's. `operator_image` is empty where Google runs it.
    """

    module: ClassVar[str] = "ray.stack"

    ray: str
    namespace: str
    operator: ChartPlan | None
    operator_image: str
    programs: ProgramsPlan | None
    spec: RayClusterSpecPlan
    fault_tolerance: FaultTolerancePlan | None
    proxy: ProxyPlan | None
    dashboard: DashboardPlan | None
    gateway: InferencePlan | None
    jobs: tuple[RayJobPlan, ...]
    services: tuple[RayServicePlan, ...]
    outputs: RayOutputsPlan
