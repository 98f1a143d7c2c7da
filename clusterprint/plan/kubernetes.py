"""Plans for what runs inside a cluster, whatever brought the cluster and whatever runs."""

from typing import Any, Literal

from clusterprint.plan.slice import Slice

FabricKind = Literal["tcpx", "tcpxo", "roce"]


class ClusterAccessPlan(Slice, frozen=True, kw_only=True):
    """How the cluster is reached: `stack` is the name of the stack that makes it.

    With `dns_endpoint` by its DNS name, else by its IP address.
    """

    stack: str
    dns_endpoint: bool


class ChartPlan(Slice, frozen=True, kw_only=True):
    """A component that is installed by its own Helm chart, as the release `name`.

    `repository` is empty where `chart` is a location by itself (oci://).
    """

    key: str
    name: str
    namespace: str
    repository: str
    chart: str
    version: str
    values: dict[str, Any]


class ObjectsPlan(Slice, frozen=True, kw_only=True):
    """Objects as they are, by a key that is unique among them, as one release of our own chart."""

    key: str
    name: str
    namespace: str
    objects: dict[str, dict[str, Any]]


class ServiceAccountObjectPlan(Slice, frozen=True, kw_only=True):
    """A Kubernetes service account; `acts_as` is the e-mail of a Google account, or empty."""

    key: str
    namespace: str
    name: str
    acts_as: str


class NetworkObjectPlan(Slice, frozen=True, kw_only=True):
    """A network that pods can ask for by `name`: a subnet of a VPC network, handed over as a device."""

    name: str
    network: str
    subnet: str
    device_mode: Literal["NetDevice", "RDMA"]


class FabricPlan(Slice, frozen=True, kw_only=True):
    """What a pod needs to use the networks between GPUs: `networks` in the order of its interfaces.

    `daemon_image` is what it runs beside itself, or empty; `env` is what its programs need to know.
    """

    kind: FabricKind
    networks: tuple[str, ...]
    daemon_image: str
    env: dict[str, str]


class PluginPlan(Slice, frozen=True, kw_only=True):
    """A NCCL plug-in, put on every node with GPUs of one type."""

    key: str
    kind: FabricKind
    accelerator: str
    image: str
    helper_image: str
    pause_image: str


class DeviceInjectorPlan(Slice, frozen=True, kw_only=True):
    """What hands GPU devices to containers that ask by annotation, on nodes with GPUs of one type."""

    key: str
    accelerator: str
    image: str


class TolerationPlan(Slice, frozen=True, kw_only=True):
    """A taint that a pod puts up with, in the words of Kubernetes; an empty value is any."""

    key: str
    value: str
    effect: Literal["", "NoSchedule", "PreferNoSchedule", "NoExecute"]
