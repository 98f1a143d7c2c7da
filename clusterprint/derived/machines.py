"""Machines of one sort: how many, how they are obtained, and the list price of one."""

from typing import NamedTuple

from clusterprint import catalog
from clusterprint.capacity_models import CapacityModel
from clusterprint.catalog import Price


class DataDisk(NamedTuple):
    """The label and request of a disk that no machine boots from; 0 for none."""

    device: str
    iops: int
    mibps: int


class Disk(NamedTuple):
    """A disk that each machine has for itself; `is_pooled` if it is made in a storage pool.

    `data` where the machine does not boot from it, if known.
    """

    type: str
    gb: int
    is_pooled: bool = False
    data: DataDisk | None = None


class Machines(NamedTuple):
    """Machines of one sort: from `nodes` to `most` of them, each with what is attached to it.

    `address` is that of the resource; a # and a name follow where it stands for several sorts. `region` is
    a region of Google Cloud or a location of Azure, `project` whose quotas they use; empty where the
    resources do not say. `disks`, local SSDs and addresses are those of one machine; `reservations` are
    those that it may use, by name or link.
    """

    address: str
    name: str
    machine_type: str
    model: CapacityModel
    nodes: int
    most: int
    accelerator: str = ""
    accelerators: int = 0
    region: str = ""
    project: str = ""
    disks: tuple[Disk, ...] = ()
    local_ssd_gb: int = 0
    external_addresses: int = 0
    zones: tuple[str, ...] = ()
    reservations: tuple[str, ...] = ()

    @property
    def resource(self) -> str:
        """The address of the resource."""
        return self.address.partition("#")[0]


class Sort(NamedTuple):
    """Machines that cost the same: those of one type, in one region, under one model."""

    machine_type: str
    model: CapacityModel
    accelerator: str
    accelerators: int
    region: str

    @property
    def what(self) -> str:
        """The machine type, and the GPUs that are attached."""
        attached = f" with {self.accelerators} x {self.accelerator}" if self.is_attached else ""
        return f"{self.machine_type}{attached}"

    @property
    def is_attached(self) -> bool:
        """Whether GPUs are attached that do not come with the machine type."""
        # other series come with their GPUs, and name them as well
        machine = catalog.machine(self.machine_type)
        return bool(machine and not machine.gpus and self.accelerators)

    @property
    def price(self) -> Price | None:
        """The price of one machine with the GPUs that are attached to it."""
        machine = catalog.hourly_price(self.machine_type, self.model, self.region)
        if machine is None or not self.is_attached:
            return machine
        gpu = catalog.gpu_hourly_price(self.accelerator, self.model, self.region)
        if gpu is None:
            return None
        # if one of the two is of another region, that is what has to be said
        other = gpu if gpu.region != self.region else machine
        return other._replace(usd=machine.usd + gpu.usd * self.accelerators)


def sort_of(machines: Machines) -> Sort:
    """The facts that decide on the price of the machines."""
    return Sort(
        machines.machine_type, machines.model, machines.accelerator, machines.accelerators, machines.region
    )


def price_of(machines: Machines) -> Price | None:
    """The price of one of the machines, with the GPUs that are attached to it; None where there is none."""
    return sort_of(machines).price
