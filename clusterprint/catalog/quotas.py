"""Quotas: by which metric a cloud counts machines and what belongs to them."""

from functools import cache
from typing import Literal

import msgspec

from clusterprint.catalog.azure import azure_size
from clusterprint.catalog.fact import Fact, read_table


class Quota(Fact, frozen=True, kw_only=True):
    """The metrics that count something in a region of Google Cloud, without `compute.googleapis.com/`.

    `preemptible` counts what is had as spot or by flex-start; where it is empty, `on_demand` counts that,
    too. `dimension` narrows `on_demand` down, as `gpu_family=NVIDIA_H200` does.
    """

    on_demand: str
    preemptible: str = ""
    dimension: str = ""


class CountedQuota(Fact, frozen=True, kw_only=True):
    """The metric that counts something one by one, in each region or in all of a project, and its unit."""

    metric: str
    scope: Literal["region", "global"]
    unit: str = "resources"


class FileQuota(Fact, frozen=True, kw_only=True):
    """The quota for the GiB of a file system, in each region or zone: a quota of its own service."""

    service: str
    quota: str
    scope: Literal["region", "zone"]


class AzureQuota(Fact, frozen=True, kw_only=True):
    """The family by which a subscription counts the vCPUs of a size of Azure, as its API spells it."""

    family: str


Total = Literal["gpus", "cpus", "nodes", "external_addresses"]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gpus: dict[str, Quota]
    tpus: dict[str, Quota]
    cpus: dict[str, Quota]
    disks: dict[str, Quota]
    local_ssd: dict[Literal["local-ssd"], Quota]
    file_systems: dict[str, dict[int, FileQuota]]
    resources: dict[str, CountedQuota]
    totals: dict[Total, CountedQuota]


@cache
def _table() -> _Table:
    return read_table("google/quotas", _Table)


@cache
def _azure() -> dict[str, AzureQuota]:
    return read_table("azure/quotas", dict[str, AzureQuota])


def gpu_quota(accelerator_type: str) -> Quota | None:
    """The quota for GPUs of a model, such as `nvidia-h200-141gb`."""
    return _table().gpus.get(accelerator_type)


def tpu_quota(name: str) -> Quota | None:
    """The quota for chips of a TPU type, such as `v6e`."""
    return _table().tpus.get(name)


def cpu_quota(series: str) -> Quota | None:
    """The quota for the vCPUs of a series, such as `n2`; None for one that is counted by its GPUs only."""
    return _table().cpus.get(series)


def disk_quota(type_: str) -> Quota | None:
    """The quota for the gigabytes of a type of disk, such as `pd-ssd`."""
    return _table().disks.get(type_)


def local_ssd_quota() -> Quota:
    """The quota for the gigabytes of local SSDs."""
    return _table().local_ssd["local-ssd"]


def file_quota(tier: str, size_gib: int) -> FileQuota | None:
    """The quota for a Filestore of a tier, or a `lustre`: larger ones of a tier may have another quota."""
    by_size = _table().file_systems.get(tier, {})
    return next((by_size[least] for least in sorted(by_size, reverse=True) if size_gib >= least), None)


def resource_quota(metric: str) -> CountedQuota:
    """The quota that counts resources one by one: the entry of a metric, such as `networks`."""
    return _table().resources[metric]


def total_quota(name: Total) -> CountedQuota:
    """The quota that counts all sorts together."""
    return _table().totals[name]


def azure_quota(size: str) -> AzureQuota | None:
    """The family that counts the vCPUs of a size, be it one with fewer processors than the whole machine."""
    found = azure_size(size)
    return _azure().get(found.whole) if found else None
