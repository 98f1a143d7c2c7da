"""The plan of the stack `<name>-cluster` of a Ray cluster: a GKE cluster, and what its image is made in."""

from typing import Literal

from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.google import ServiceAccountPlan
from clusterprint.plan.slice import Slice


class RegistryPlan(Slice, frozen=True, kw_only=True):
    """Three repositories for packages of one form, by their ids.

    `own` is what the cluster's builds write to, `remote` keeps copies of the public packages of `upstream`,
    and `virtual` looks into both. Versions without a tag go after `untagged_days`, copies that nobody has
    fetched anew after `copy_days`; the `keep` newest versions of a package always stay.
    What has the higher priority is looked into first.
    """

    form: Literal["docker", "python"]
    own: str
    remote: str
    virtual: str
    upstream: Literal["DOCKER_HUB", "PYPI"]
    untagged_days: int
    copy_days: int
    keep: int
    own_priority: int
    remote_priority: int


class BuildPoolPlan(Slice, frozen=True, kw_only=True):
    """A private pool of build machines, inside the cluster's network.

    `network` is the key of a network of the plan; with an existing network it is empty and
    `existing_network` is its full path. `address` and `prefix_length` are the range that the machines take,
    in the project of the network.
    """

    name: str
    machine_type: str
    disk_size_gb: int
    network: str
    existing_network: str
    network_project: str
    range_name: str
    address: str
    prefix_length: int


class BuilderPlan(Slice, frozen=True, kw_only=True):
    """The account that builds images. In `bucket` it reads what is below `source`, and nothing else."""

    account: ServiceAccountPlan
    bucket: str
    source: str


class AdmissionPlan(Slice, frozen=True, kw_only=True):
    """Which images the cluster runs: those that Cloud Build of the project attests, and the `exempt` ones."""

    cluster: str
    enforce: bool
    attestor: str
    exempt: tuple[str, ...]


class RayClusterPlan(GkeClusterPlan, frozen=True, kw_only=True):
    """A GKE cluster that Ray runs in."""

    registries: tuple[RegistryPlan, ...]
    build_pool: BuildPoolPlan | None
    builder: BuilderPlan | None
    admission: AdmissionPlan | None
