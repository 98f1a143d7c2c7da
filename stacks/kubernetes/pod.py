"""Pods inside objects that Terraform has no types for, in the words of Kubernetes."""

from typing import Any, NotRequired, TypedDict, TypeVar, cast

#: The autoscaler removes no node under a pod with this: a job that loses one is lost, or starts again.
KEPT = {"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"}


class Toleration(TypedDict):
    """A taint that a pod puts up with."""

    key: str
    operator: str
    value: NotRequired[str]
    effect: NotRequired[str]


class Variable(TypedDict):
    """A variable of a container's environment: a value, or where it comes from."""

    name: str
    value: NotRequired[str]
    valueFrom: NotRequired[dict[str, Any]]


class Mount(TypedDict):
    """Where a container sees a volume, or one file of it."""

    name: str
    mountPath: str
    subPath: NotRequired[str]
    readOnly: NotRequired[bool]


class Memory(TypedDict, total=False):
    """A folder that goes with the pod, on disk or in memory."""

    medium: str
    sizeLimit: str


class Claimed(TypedDict):
    """A volume that is there before the pod."""

    claimName: str
    readOnly: NotRequired[bool]


class Source(TypedDict, total=False):
    """Where a volume comes from: one of these."""

    hostPath: dict[str, str]
    configMap: dict[str, str]
    emptyDir: Memory
    csi: dict[str, Any]
    ephemeral: dict[str, Any]
    persistentVolumeClaim: Claimed


class Volume(Source):
    """A volume of a pod."""

    name: str


class Capabilities(TypedDict):
    """The security context of a container."""

    add: list[str]


class Security(TypedDict, total=False):
    """Who a container is, and what it may do."""

    capabilities: Capabilities
    runAsUser: int
    runAsNonRoot: bool
    allowPrivilegeEscalation: bool


class Resources(TypedDict, total=False):
    """Requests and limits of a container."""

    requests: dict[str, str]
    limits: dict[str, str]
    claims: list[dict[str, str]]


class Port(TypedDict):
    """A port that a container listens on."""

    name: str
    containerPort: int


class Container(TypedDict):
    """A container of a pod."""

    name: str
    image: str
    volumeMounts: list[Mount]
    command: NotRequired[list[str]]
    args: NotRequired[list[str]]
    env: NotRequired[list[Variable]]
    ports: NotRequired[list[Port]]
    resources: NotRequired[Resources]
    securityContext: NotRequired[Security]
    workingDir: NotRequired[str]
    readinessProbe: NotRequired[dict[str, Any]]


class Group(TypedDict, total=False):
    """The security context of a pod: the groups of all containers."""

    fsGroup: int
    fsGroupChangePolicy: str


class Account(TypedDict, total=False):
    """Who a pod is."""

    serviceAccountName: str
    securityContext: Group


class Scheduling(TypedDict, total=False):
    """Which nodes a pod may run on, what it claims there, how it ends, and whether it is run again then."""

    nodeSelector: dict[str, str]
    tolerations: list[Toleration]
    affinity: dict[str, Any]
    restartPolicy: str
    terminationGracePeriodSeconds: int
    resourceClaims: list[dict[str, str]]


class PodSpec(Account, Scheduling):
    """The specification of a pod."""

    containers: list[Container]
    volumes: list[Volume]


Part = TypeVar("Part", Container, PodSpec)


class Metadata(TypedDict, total=False):
    """The metadata of a pod."""

    annotations: dict[str, str]
    labels: dict[str, str]


class Pod(TypedDict):
    """The template of pods."""

    spec: PodSpec
    metadata: NotRequired[Metadata]


def variables(values: dict[str, str]) -> list[Variable]:
    """An environment, in the order given."""
    return [Variable(name=name, value=value) for name, value in values.items()]


def fields(paths: dict[str, str]) -> list[Variable]:
    """Variables that hold fields of the pod itself: path by name."""
    return [Variable(name=name, valueFrom={"fieldRef": {"fieldPath": path}}) for name, path in paths.items()]


def amounts(requests: dict[str, str], limits: dict[str, str]) -> Resources:
    """Requests and limits of a container, without empty ones."""
    resources = Resources()
    if requests:
        resources["requests"] = requests
    if limits:
        resources["limits"] = limits
    return resources


def grace(seconds: int) -> Scheduling:
    """How long a pod has to end after its signal; 0 is the usual time of Kubernetes."""
    return Scheduling(terminationGracePeriodSeconds=seconds) if seconds else Scheduling()


def shared_memory(size_gb: int) -> Memory:
    """Memory as a folder; 0 is half of the pod's."""
    return Memory(medium="Memory", sizeLimit=f"{size_gb}Gi") if size_gb else Memory(medium="Memory")


def written(part: Part) -> Part:
    """A part of a pod without what is empty."""
    return cast("Part", {key: value for key, value in part.items() if value not in ({}, [])})


def apart(labels: dict[str, str]) -> dict[str, Any]:
    """Each pod with these labels on a node of its own."""
    return {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"labelSelector": {"matchLabels": labels}, "topologyKey": "kubernetes.io/hostname"}
            ]
        }
    }


def mounts(paths: dict[str, str]) -> list[Mount]:
    """Where a container sees volumes: path by volume."""
    return [Mount(name=name, mountPath=path) for name, path in paths.items()]
