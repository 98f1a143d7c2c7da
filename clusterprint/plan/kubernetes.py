"""Plans for workloads of a cluster, whatever brought the cluster and whatever runs."""

from typing import Annotated, Any, Literal

import msgspec

from clusterprint.plan.argument import Argument
from clusterprint.plan.part import PlanPart


class RightPlan(PlanPart, frozen=True):
    """A rule of a role: verbs and resources; the core API group is an empty text.

    Without `names` it is all resources of these kinds.
    """

    group: str
    resources: tuple[str, ...]
    verbs: tuple[str, ...]
    names: tuple[str, ...] = ()


class ReachedPlan(PlanPart, frozen=True, kw_only=True):
    """A cluster, as whoever talks to it knows it.

    `context` is what kubectl calls it once `login` was run. Outside of GKE it has no location, no project and
    no `workload_pool`, in which its service accounts have their identities; `dashboards` are
    Google's pages of it.
    """

    name: str
    location: str
    project: str
    workload_pool: str
    dns_endpoint: bool
    context: str
    login: str
    dashboards: dict[str, str]


class RequirementPlan(PlanPart, frozen=True, kw_only=True):
    """A requirement of an existing cluster, and the message if it is not met.

    `attribute` is where the provider has it. It must be `value`, or have it among others (`contains`), or be
    a version, of which `since` has the first of each minor one: minor, patch, build.
    """

    attribute: str
    message: str
    value: str = ""
    contains: bool = False
    since: tuple[tuple[int, int, int], ...] = ()


class ExistingPlan(PlanPart, frozen=True, kw_only=True):
    """A cluster of GKE that is there already, and what it must have; `google_provider` is who looks it up."""

    name: str
    location: str
    project: str
    google_provider: str
    requirements: tuple[RequirementPlan, ...]


class ClusterAccessPlan(PlanPart, frozen=True, kw_only=True):
    """How the cluster is reached: it is made by `stack`, or `existing`, or a kubectl `context` leads to it.

    What is added to an existing one is made by `stack`, which is empty where nothing is. With `dns_endpoint`
    a cluster of GKE is reached by its DNS name, else by its IP address.
    """

    stack: str
    dns_endpoint: bool
    kubernetes_provider: str
    helm_provider: str
    existing: ExistingPlan | None = None
    context: str = ""


class ReleasePlan(PlanPart, frozen=True, kw_only=True):
    """How Helm makes a release, and how many versions of it it remembers.

    After `wait_seconds` it has failed: enough for objects of ours, which start nothing. Helm keeps a first
    installation that has failed, but the state does not: the next apply upgrades it instead of installing it.
    """

    wait_seconds: Annotated[int, Argument("timeout")] = 300
    history: Annotated[int, Argument("max_history")] = 5
    upgrade_install: Annotated[bool, Argument("upgrade_install")] = True


class ChartPlan(ReleasePlan, frozen=True, kw_only=True):
    """A component that is installed by its own Helm chart, as the release `name`.

    `repository` is empty where `chart` is a location by itself (oci://). Without `wait` it is made once its
    objects are. `critical_pods` is how many its namespace takes. Charts with the keys `after` come before it.
    """

    key: str
    name: str
    namespace: str
    repository: str
    chart: str
    version: str
    values: dict[str, Any]
    wait: bool = True
    critical_pods: int = 0
    after: tuple[str, ...] = ()


class ObjectsPlan(PlanPart, frozen=True, kw_only=True):
    """Objects as they are, by a key that is unique among them, as one release of our own chart."""

    key: str
    name: str
    namespace: str
    objects: dict[str, dict[str, Any]]


class ScrapePlan(PlanPart, frozen=True, kw_only=True):
    """A program whose values Google's Prometheus fetches every so many `seconds`.

    It answers at `path` of `port` in the pods of a `namespace` that have these labels, to whom the cluster
    lets read that; where it is `encrypted`, the certificate is one of its own that nobody knows.
    """

    key: str
    namespace: str
    labels: dict[str, str]
    port: int
    path: str
    encrypted: bool
    seconds: int


class ServiceAccountObjectPlan(PlanPart, frozen=True, kw_only=True):
    """A Kubernetes service account; `acts_as` is the e-mail of a Google account, or empty."""

    key: str
    namespace: str
    name: str
    acts_as: str


class NetworkObjectPlan(PlanPart, frozen=True, kw_only=True):
    """A network that pods can ask for by `name`: a subnet of a VPC network, handed over as a device."""

    name: str
    network: str
    subnet: str
    device_mode: Literal["NetDevice", "RDMA"]


class DeviceClaimPlan(PlanPart, frozen=True, kw_only=True):
    """Interfaces of a node that a pod asks for by a claim, from a template of this name; 0 is all."""

    template: str
    device_class: str
    count: int


class DaemonPlan(PlanPart, frozen=True, kw_only=True):
    """A container beside the program, with `devices` of the node; `mounts` are volumes of the pod."""

    name: str
    image: str
    command: tuple[str, ...]
    env: dict[str, str]
    capabilities: tuple[str, ...]
    mounts: dict[str, str]
    devices: tuple[str, ...]


class FabricPlan(PlanPart, frozen=True, kw_only=True):
    """The network settings of a pod: `networks` in the order of its interfaces.

    `folders` is what it sees of the node, path by volume; `mounts`, `env` and `capabilities` are for the
    program, `profile` is a script in the container that a shell sources before it; it may be empty. Networks
    that are `open_to_all` carry what any program sends, others only what GPUs do.
    """

    networks: tuple[str, ...]
    folders: dict[str, str]
    mounts: dict[str, str]
    env: dict[str, str]
    capabilities: tuple[str, ...]
    profile: str
    daemon: DaemonPlan | None
    open_to_all: bool = False


class PreparePlan(PlanPart, frozen=True, kw_only=True):
    """A program that the node runs before the plug-in starts, from a container of this image."""

    image: str
    command: tuple[str, ...]


class PluginPlan(PlanPart, frozen=True, kw_only=True):
    """A NCCL plug-in, put on every node with GPUs of one type.

    `folders` are folders of the node by volume, `mounts` where `command` sees them; `cpu` is a quantity
    of Kubernetes.
    """

    key: str
    accelerator: str
    image: str
    command: tuple[str, ...]
    folders: dict[str, str]
    mounts: dict[str, str]
    cpu: str
    prepare: PreparePlan | None
    pause_image: str


class DeviceInjectorPlan(PlanPart, frozen=True, kw_only=True):
    """The device plug-in that hands GPUs to containers by annotation, on nodes with GPUs of one type.

    It sees `folders` of the node by volume, at the same place; `cpu` is a quantity of Kubernetes.
    """

    key: str
    accelerator: str
    image: str
    folders: dict[str, str]
    cpu: str


class BesideProgramPlan(PlanPart, frozen=True, kw_only=True):
    """A second program in the pod of another, with `folders` of the node by volume, at the same place."""

    key: str
    image: str
    command: tuple[str, ...]
    folders: dict[str, str]


class InterfaceProgramPlan(PlanPart, frozen=True, kw_only=True):
    """The daemon that sets up the interfaces of nodes with GPUs of one type.

    It sees `folders` of the node by volume, at the same place, and keeps large pages of 2 MiB.
    """

    key: str
    accelerator: str
    image: str
    command: tuple[str, ...]
    env: dict[str, str]
    folders: dict[str, str]
    huge_pages_mib: int
    memory_mib: int
    health_path: str
    health_port: int
    health_delay_seconds: int
    beside: BesideProgramPlan


class ProbePlan(PlanPart, frozen=True, kw_only=True):
    """A question by HTTP: after so many seconds, and then again every so many."""

    path: str
    port: int
    delay_seconds: int
    period_seconds: int


class ProgramPlan(PlanPart, frozen=True, kw_only=True):
    """A program that looks after the cluster, in one pod.

    `settings` is a ConfigMap that becomes its environment, `secret` one that is the folder `secret_path`;
    empty is none. Another `checksum` restarts it. Without `non_root` it has the image's own user, root or
    not. `resources` are both what it asks for and what it may use; `nodes` are labels of nodes. An apply
    ends when it runs, unless it need not `wait`.
    """

    image: str
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    settings: str = ""
    checksum: str = ""
    secret: str = ""
    secret_path: str = ""
    alive: ProbePlan | None = None
    ready: ProbePlan | None = None
    resources: dict[str, str] = msgspec.field(default_factory=dict)
    nodes: dict[str, str] = msgspec.field(default_factory=dict)
    grace_seconds: int | None = None
    non_root: bool = True
    wait: bool = True


class TolerationPlan(PlanPart, frozen=True, kw_only=True):
    """A taint that a pod puts up with, in the words of Kubernetes; an empty value is any."""

    key: str
    value: str
    effect: Literal["", "NoSchedule", "PreferNoSchedule", "NoExecute"]
