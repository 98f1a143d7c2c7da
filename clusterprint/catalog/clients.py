"""Throughput of a machine to remote storage of any kind."""

from clusterprint.catalog.azure import azure_size
from clusterprint.catalog.machines import Machine, machine

_MBPS_OF_A_GBPS = 125


def client_mbps(machine_type: str) -> int | None:
    """The most that one machine reads from file systems and buckets, in MB/s; None if it is not known.

    All that goes through its first interface: those of the GPUs lead to other GPUs only. On Azure it is what
    all its interfaces carry but InfiniBand.
    """
    if size := azure_size(machine_type):
        return size.frontend_mbps // 8
    found = machine(machine_type)
    return _of_google(found) if found else None


def _of_google(found: Machine) -> int | None:
    rates = [each for each in (found.bandwidth_gbps, found.network.first_nic_gbps) if each is not None]
    return min(rates) * _MBPS_OF_A_GBPS if found.bandwidth_gbps is not None else None
