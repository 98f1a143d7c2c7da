"""The settings, from the environment, by the names of the controller that this one takes the place of."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec import Struct

_T = TypeVar("_T")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|h|m|s))+")
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_RESOURCE = re.compile(r"[a-z0-9]([-.a-z0-9]*[a-z0-9])?/[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?")
_ZONE = re.compile(r"[a-z]+-[a-z]+[0-9]+-[a-z]")
_NAME = re.compile(r"[A-Za-z0-9]([-_.:A-Za-z0-9]*[A-Za-z0-9])?")
TPU = "google.com/tpu"


class Network(Struct, frozen=True):
    """An additional network of nodes."""

    network: str
    subnetwork: str


class Settings(Struct, frozen=True):
    """Where pools are made, how their nodes are, and how much at once. No limit is 0."""

    project: str
    cluster: str
    location: str
    zones: tuple[str, ...]
    node_service_account: str = ""
    node_tags: tuple[str, ...] = ()
    pod_to_node_labels: tuple[str, ...] = ()
    node_secondary_disk: str = ""
    node_secure_boot: bool = True
    node_additional_networks: tuple[Network, ...] = ()
    node_disk_type: str = ""
    node_confidential_storage: bool = False
    node_boot_disk_kms_key: str = ""
    force_on_demand: bool = False
    node_min_lifespan: float = 10.0
    deletion_delay: float = 30.0
    resource: str = TPU
    concurrency: int = 3
    max_pools_per_namespace: int = 0
    max_chips_per_namespace: int = 0


class Unfit(ValueError):  # noqa: N818 - it is the setting that does not fit
    """Settings that mean nothing. The message has one line for each."""


def read(environment: Mapping[str, str]) -> Settings:
    """The settings of an environment; what is empty is unset. Raises Unfit, with everything that is wrong."""
    reader = _Reader(environment)
    provider = reader.text("PROVIDER", "gke")
    if provider != "gke":
        reader.wrong.append(f"PROVIDER is {provider!r}: only gke is supported")
    settings = Settings(
        project=reader.needed("GCP_PROJECT_ID"),
        cluster=reader.needed("GCP_CLUSTER"),
        location=reader.needed("GCP_CLUSTER_LOCATION"),
        zones=reader.zones("GCP_ZONE"),
        node_service_account=reader.text("GCP_NODE_SERVICE_ACCOUNT"),
        node_tags=reader.several("GCP_NODE_TAGS"),
        pod_to_node_labels=reader.several("GCP_POD_TO_NODE_LABELS"),
        node_secondary_disk=reader.text("GCP_NODE_SECONDARY_DISK"),
        node_secure_boot=reader.flag("GCP_NODE_SECURE_BOOT", default=True),
        node_additional_networks=reader.value("GCP_NODE_ADDITIONAL_NETWORKS", networks, ()),
        node_disk_type=reader.text("GCP_NODE_DISK_TYPE"),
        node_confidential_storage=reader.flag("GCP_NODE_CONFIDENTIAL_STORAGE", default=False),
        node_boot_disk_kms_key=reader.text("GCP_NODE_BOOT_DISK_KMS_KEY"),
        force_on_demand=reader.flag("GCP_FORCE_ON_DEMAND", default=False),
        node_min_lifespan=reader.value("NODE_MIN_LIFESPAN", _lifespan, 10.0),
        deletion_delay=reader.value("NODEPOOL_DELETION_DELAY", seconds, 30.0),
        resource=reader.value("POD_RESOURCE_TYPE", _resource, TPU),
        concurrency=reader.number("CONCURRENCY", least=1, default=3),
        max_pools_per_namespace=reader.number("MAX_POOLS_PER_NAMESPACE", least=0, default=0),
        max_chips_per_namespace=reader.number("MAX_CHIPS_PER_NAMESPACE", least=0, default=0),
    )
    if reader.wrong:
        raise Unfit("\n".join(reader.wrong))
    return settings


def seconds(text: str) -> float:
    """A duration as Go writes it, such as 1h30m or 10s. Raises ValueError."""
    if text == "0":
        return 0.0
    if not _DURATION.fullmatch(text):
        raise ValueError("is not a duration such as 30s or 1h30m")
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))


def networks(text: str) -> tuple[Network, ...]:
    """Networks as `network:subnetwork`, with commas between them. Raises ValueError."""
    found = []
    for each in split(text):
        network, colon, subnetwork = (part.strip() for part in each.partition(":"))
        if not (network and colon and subnetwork):
            raise ValueError(f"contains {each!r}, which is not network:subnetwork")
        found.append(Network(network, subnetwork))
    return tuple(found)


def split(text: str) -> tuple[str, ...]:
    """The items of a list that is separated by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def zones(text: str) -> tuple[str, ...]:
    """Zones with commas between them, each once. Raises ValueError."""
    found = tuple(dict.fromkeys(split(text)))
    for each in found:
        if not _ZONE.fullmatch(each):
            raise ValueError(f"contains {each!r}, which is not a zone such as us-east5-a")
    return found


def _lifespan(text: str) -> float:
    life = seconds(text)
    if life <= 0:
        raise ValueError("has to be more than 0")
    return life


def _resource(text: str) -> str:
    if not _RESOURCE.fullmatch(text):
        raise ValueError(f"is not an extended resource such as {TPU}")
    return text


class _Reader:
    """Takes settings one by one and gathers what is wrong with them."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.wrong: list[str] = []

    def text(self, name: str, default: str = "") -> str:
        return self._environment.get(name, "").strip() or default

    def needed(self, name: str) -> str:
        """A name that becomes part of a URL."""
        text = self.text(name)
        if not text:
            self.wrong.append(f"{name} is not set")
        elif not _NAME.fullmatch(text):
            self.wrong.append(f"{name} is {text!r}, which is not a valid name")
        return text

    def several(self, name: str) -> tuple[str, ...]:
        return split(self.text(name))

    def zones(self, name: str) -> tuple[str, ...]:
        if not self.text(name):
            self.wrong.append(f"{name} is not set")
        return self.value(name, zones, ())

    def flag(self, name: str, *, default: bool) -> bool:
        text = self.text(name, str(default)).lower()
        if text not in ("true", "false", "1", "0", "t", "f"):
            self.wrong.append(f"{name} is {text!r}: use true or false")
        return text in ("true", "1", "t")

    def number(self, name: str, *, least: int, default: int) -> int:
        text = self.text(name, str(default))
        if not (text.isascii() and text.isdigit()) or int(text) < least:
            self.wrong.append(f"{name} is {text!r}: use an integer of at least {least}")
            return default
        return int(text)

    def value(self, name: str, reader: Callable[[str], _T], default: _T) -> _T:
        text = self.text(name)
        if not text:
            return default
        try:
            return reader(text)
        except ValueError as error:
            self.wrong.append(f"{name} is {text!r}: it {error}")
            return default
