"""Use of quotas per machine and resource, by the clouds' metrics."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from clusterprint import catalog
from clusterprint.derived.machines import Machines
from clusterprint.resource_types import resource_type
from clusterprint.review.delta import Resource, get, whole
from clusterprint.review.known import region_at
from clusterprint.review.machines import machines_of
from clusterprint.review.model import CapacityModel

#: In the order in which needs are listed.
Sort: TypeAlias = Literal["accelerator", "cpu", "disk", "file_system", "other"]

GLOBAL = "global"
_COMPUTE = "compute.googleapis.com"
_PREEMPTIBLE = frozenset({"spot", "flex_start"})
#: Compute Engine's documentation names no quota of storage pools, nor says what disks in them count as.
_POOLED = "whether disks in a storage pool are counted here is not documented"


class Metric(NamedTuple):
    """A quota: whose it is, where, and what it is called.

    `owner` is a project or a subscription, empty where the resources do not say; `region` is `global` for
    what is counted in all of a project, a zone for what is counted there. `name` begins with its service
    where that is not Compute Engine: `lustre.googleapis.com/Capacity`. `dimension` narrows the metric down:
    `gpu_family=NVIDIA_H200`.
    """

    cloud: Literal["google", "azure"]
    owner: str
    region: str
    sort: Sort
    name: str
    unit: str
    dimension: str = ""

    @property
    def service(self) -> str:
        """Whose quota it is, on Google Cloud."""
        return self.name.rpartition("/")[0] or _COMPUTE

    @property
    def place(self) -> tuple[str, str]:
        """Where it is counted, as dimensions say it: `region` or `zone`, and its name."""
        return ("region" if region_at(self.region) == self.region else "zone"), self.region


class QuotaPart(NamedTuple):
    """A usage of a quota; the fields are those of a need."""

    metric: Metric
    model: CapacityModel | Literal[""]
    least: float
    most: float
    is_asked: bool = True
    doubt: str = ""
    sources: tuple[str, ...] = ()


def quota_parts(resources: Sequence[Resource], owner: str) -> Iterator[QuotaPart]:
    """The usages by all machines and resources; `owner` is theirs if they name no project."""
    for machines in machines_of(resources):
        yield from _of_machines(machines, owner)
    for resource in resources:
        yield from _of_resource(resource, owner)


# ---- machines


class _Google(NamedTuple):
    """Machines of Google Cloud, and whose quotas they take."""

    machines: Machines
    project: str

    def parts(self) -> Iterator[QuotaPart]:
        """The usage of all quotas."""
        yield from self._accelerators()
        machine = catalog.machine(self.machines.machine_type)
        quota = catalog.cpu_quota(self.machines.machine_type.partition("-")[0])
        if machine and quota:
            yield self._counted(quota, ("cpu", "vCPUs"), machine.vcpus)
        if machine:
            yield self._total("cpus", "vCPUs", machine.vcpus)
        for disk in self.machines.disks:
            if of_disk := catalog.disk_quota(disk.type):
                part = _asked_anyway(self._counted(of_disk, ("disk", "GB"), disk.gb))
                yield part._replace(doubt=_POOLED) if disk.is_pooled else part
        if self.machines.local_ssd_gb:
            yield self._counted(catalog.local_ssd_quota(), ("disk", "GB"), self.machines.local_ssd_gb)
        yield _asked_anyway(self._total("nodes", "VMs", 1))
        if self.machines.external_addresses:
            each = self.machines.external_addresses
            yield _asked_anyway(self._total("external_addresses", "addresses", each))

    def _accelerators(self) -> Iterator[QuotaPart]:
        if tpu := catalog.tpu_type_of(self.machines.machine_type):
            chips = tpu.machines[self.machines.machine_type].chips
            if of_chips := catalog.tpu_quota(tpu.name):
                yield self._counted(of_chips, ("accelerator", "TPU chips"), chips)
            return
        machine = catalog.machine(self.machines.machine_type)
        own = machine.gpu.accelerator_type if machine and machine.gpu and machine.gpus else ""
        count = machine.gpus if machine and own else self.machines.accelerators
        quota = catalog.gpu_quota(own or self.machines.accelerator)
        if quota and count:
            yield self._counted(quota, ("accelerator", "GPUs"), count)
            yield self._total("gpus", "GPUs", count)

    def _counted(self, quota: catalog.Quota, what: tuple[Sort, str], each: float) -> QuotaPart:
        """The usage of a quota of their region, for preemptible capacity if there is one."""
        preempted = self.machines.model in _PREEMPTIBLE and bool(quota.preemptible)
        name = quota.preemptible if preempted else quota.on_demand
        dimension = "" if preempted else quota.dimension
        metric = Metric(
            "google", self.project, self.machines.region, what[0], name.upper(), what[1], dimension
        )
        fields = ("preemptible",) if preempted else ("on_demand", "dimension")
        doubts = filter(None, (quota.uncertain.get(field) for field in fields))
        return _times(self.machines, metric, each)._replace(doubt=next(doubts, ""), sources=quota.sources)

    def _total(self, name: catalog.Total, unit: str, each: float) -> QuotaPart:
        quota = catalog.total_quota(name)
        region = GLOBAL if quota.scope == "global" else self.machines.region
        metric = Metric("google", self.project, region, "other", quota.metric.upper(), unit)
        return _times(self.machines, metric, each)._replace(sources=quota.sources)


def _times(machines: Machines, metric: Metric, each: float) -> QuotaPart:
    is_asked = machines.model != "reservation"
    return QuotaPart(metric, machines.model, machines.nodes * each, machines.most * each, is_asked)


def _asked_anyway(part: QuotaPart) -> QuotaPart:
    """The usage beside a reservation, which holds machines with their accelerators and local SSDs."""
    return part._replace(is_asked=True)


def _of_machines(machines: Machines, owner: str) -> Iterator[QuotaPart]:
    if machines.machine_type.startswith("Standard_"):
        yield from _of_azure(machines, owner)
    else:
        yield from _Google(machines, machines.project or owner).parts()


# Azure: naming conventions of sizes: the family in capitals, then the number of vCPUs.
_VCPUS = re.compile(r"Standard_[A-Z]+(?:[0-9]+-)?([0-9]+)")


def _of_azure(machines: Machines, owner: str) -> Iterator[QuotaPart]:
    size = catalog.azure_size(machines.machine_type)
    named = _VCPUS.match(machines.machine_type)
    vcpus = size.vcpus if size else int(named[1]) if named else 0
    spot = machines.model == "spot"
    name = "lowPriorityCores" if spot else "cores"
    total = Metric("azure", owner, machines.region, "cpu", name, "vCPUs")
    quota = catalog.azure_quota(machines.machine_type)
    if size and quota and not spot:
        family = total._replace(name=quota.family, sort="accelerator" if size.gpus else "cpu")
        doubt = quota.uncertain.get("family", "")
        yield _times(machines, family, vcpus)._replace(doubt=doubt, sources=quota.sources)
    yield _times(machines, total, vcpus)


# ---- what is counted one by one


def _of_resource(resource: Resource, owner: str) -> Iterator[QuotaPart]:
    project = get(resource.values, "project", "")
    project = project if isinstance(project, str) and "${" not in project else ""
    name = resource_type(resource.type).quota or ""
    if name in _READERS:
        yield from _READERS[name](resource, project or owner)
    elif name:
        quota = catalog.resource_quota(name)
        region = GLOBAL if quota.scope == "global" else _place(resource)
        metric = Metric("google", project or owner, region, "other", quota.metric.upper(), quota.unit)
        yield QuotaPart(metric, "", 1, 1, sources=quota.sources)


def _of_disk(disk: Resource, project: str) -> Iterator[QuotaPart]:
    size, type_ = get(disk.values, "size"), str(get(disk.values, "type", "pd-standard"))
    quota = catalog.disk_quota(type_)
    if quota and isinstance(size, int):
        metric = Metric("google", project, _place(disk), "disk", quota.on_demand.upper(), "GB")
        doubt = quota.uncertain.get("on_demand", "")
        yield QuotaPart(metric, "", size, size, doubt=doubt, sources=quota.sources)


def _of_lustre(resource: Resource, project: str) -> Iterator[QuotaPart]:
    yield from _of_file_system(resource, project, "lustre", whole(get(resource.values, "capacity_gib")))


def _of_filestore(resource: Resource, project: str) -> Iterator[QuotaPart]:
    tier, size = get(resource.values, "tier", ""), get(resource.values, "file_shares.capacity_gb")
    yield from _of_file_system(resource, project, str(tier).lower(), whole(size))


def _of_file_system(resource: Resource, project: str, tier: str, size: int) -> Iterator[QuotaPart]:
    quota, location = catalog.file_quota(tier, size), str(get(resource.values, "location", ""))
    if quota and size and "${" not in location:
        place = location if quota.scope == "zone" else region_at(location)
        metric = Metric("google", project, place, "file_system", f"{quota.service}/{quota.quota}", "GiB")
        doubt = quota.uncertain.get("quota", "")
        yield QuotaPart(metric, "", size, size, doubt=doubt, sources=quota.sources)


def _place(resource: Resource) -> str:
    """The region of a resource that names it, or its zone."""
    key = resource_type(resource.type).place or ""
    place = get(resource.values, key)
    if not isinstance(place, str) or "${" in place:
        return ""
    return catalog.region_of(place) if key == "zone" else place


_READERS: Mapping[str, Callable[[Resource, str], Iterator[QuotaPart]]] = {
    "disk": _of_disk,
    "filestore": _of_filestore,
    "lustre": _of_lustre,
}
