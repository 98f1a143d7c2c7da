"""How the network interfaces of machine types are wired."""

from functools import cache
from typing import Literal

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class NetworkLayout(Fact, frozen=True, kw_only=True):
    """The networks that the interfaces of a machine type go to, besides the first one.

    `extra_vpcs` VPC networks with one subnet each come next, then `rdma_vpcs` networks made with an
    RDMA network profile, which hold `rdma_subnets` subnets for `rdma_nics` interfaces. (Where there
    are interfaces but no subnets, the profile makes its own.) `rdma_profile` is the end of the
    profile's name, after the zone and a hyphen. `mtu`, in bytes, is the recommended one for the
    networks of the GPUs, None where there is no recommendation. `nic_types` are the kinds of interface.
    `device_class` is what pods claim the `rdma_nics` by where GKE makes the networks; with `managed_only`
    node pools have no others.
    """

    gpudirect: Literal["none", "TCPX", "TCPXO", "RDMA-RoCE"]
    extra_vpcs: int
    rdma_vpcs: int
    rdma_subnets: int
    rdma_nics: int
    mtu: int | None = None
    rdma_profile: str = ""
    nic_types: tuple[str, ...]
    device_class: str = ""
    managed_only: bool = False
    key: str = ""

    @property
    def nics(self) -> int:
        """Number of interfaces of a machine, the first one included."""
        return 1 + self.extra_vpcs + self.rdma_nics

    @property
    def left_to_gke(self) -> "NetworkLayout":
        """The same machines with the first interface only: GKE connects the others."""
        return msgspec.structs.replace(self, extra_vpcs=0, rdma_vpcs=0, rdma_subnets=0, rdma_nics=0)


@cache
def _table() -> dict[str, NetworkLayout]:
    layouts = read_table("google/networks", dict[str, NetworkLayout])
    return {key: msgspec.structs.replace(layout, key=key) for key, layout in layouts.items()}


def network_layout(key: str) -> NetworkLayout:
    """The layout of a key that a machine family names; KeyError for any other."""
    return _table()[key]
