"""Pods inside objects that Terraform has no types for, in the words of Kubernetes."""

from typing import Any, NotRequired, TypedDict


class Toleration(TypedDict):
    """A taint that a pod puts up with."""

    key: str
    operator: str
    value: NotRequired[str]
    effect: NotRequired[str]


class Variable(TypedDict):
    """A variable of a container's environment."""

    name: str
    value: str


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
    """What the kernel lets a container do."""

    add: list[str]


class Security(TypedDict, total=False):
    """Who a container is, and what it may do."""

    capabilities: Capabilities
    runAsUser: int
    runAsNonRoot: bool
    allowPrivilegeEscalation: bool


class Resources(TypedDict, total=False):
    """What a container asks for, and what it may use at most."""

    requests: dict[str, str]
    limits: dict[str, str]


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
    """What all containers of a pod are members of."""

    fsGroup: int
    fsGroupChangePolicy: str


class Account(TypedDict, total=False):
    """Who a pod is."""

    serviceAccountName: str
    securityContext: Group


class Scheduling(TypedDict, total=False):
    """Which nodes a pod may run on, and whether it is run again when it ends."""

    nodeSelector: dict[str, str]
    tolerations: list[Toleration]
    affinity: dict[str, Any]
    restartPolicy: str


class PodSpec(Account, Scheduling):
    """What a pod is made of."""

    containers: list[Container]
    volumes: list[Volume]


class Metadata(TypedDict):
    """What is said about a pod."""

    annotations: dict[str, str]


class Pod(TypedDict):
    """What pods are made from: a template."""

    spec: PodSpec
    metadata: NotRequired[Metadata]


def variables(values: dict[str, str]) -> list[Variable]:
    """An environment, in the order given."""
    return [Variable(name=name, value=value) for name, value in values.items()]


def mounts(paths: dict[str, str]) -> list[Mount]:
    """Where a container sees volumes: path by volume."""
    return [Mount(name=name, mountPath=path) for name, path in paths.items()]
