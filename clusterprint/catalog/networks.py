"""How the network interfaces of machine types are wired."""

from functools import cache
from typing import Literal, TypeAlias

import msgspec

from clusterprint.catalog.fact import Fact, read_table

RdmaNic: TypeAlias = Literal["MRDMA", "IRDMA"]

# Google's transport for RDMA between machines without GPUs.
_FALCON = "Falcon"


class NetworkLayout(Fact, frozen=True, kw_only=True):
    """The networks that the interfaces of a machine type go to, besides the first one.

    `extra_vpcs` VPC networks with one subnet each come next, then `rdma_vpcs` networks made with an
    RDMA network profile, which hold `rdma_subnets` subnets for `rdma_nics` interfaces. (Where there
    are interfaces but no subnets, the profile makes its own.) `rdma_profile` is the end of the
    profile's name, after the zone and a hyphen. `mtu`, in bytes, is the recommended one for the
    networks of the GPUs, None where there is no recommendation. `nic_types` are the kinds of interface.
    `device_class` is what pods claim the `rdma_nics` by where GKE makes the networks; with `managed_only`
    node pools have no others. `gpudirect` is how GPUs reach those of other machines; machines without GPUs
    may have RDMA all the same. `max_nics` is set where machines take fewer interfaces than others do.
    `first_nic_gbps` is what the first interface carries at most, where it is one of several.
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
    first_nic_gbps: int | None = None
    max_nics: int | None = None
    key: str = ""

    @property
    def fabric(self) -> str:
        """The interconnect of a machine type's additional networks, "none" without such networks."""
        return _FALCON if self.rdma_nic == "IRDMA" else self.gpudirect

    @property
    def fabric_in_words(self) -> str:
        """The same as people read it; empty for none."""
        if self.fabric == "none":
            return ""
        return f"RDMA over {_FALCON}" if self.fabric == _FALCON else f"GPUDirect {self.gpudirect}"

    @property
    def rdma_word(self) -> str:
        """The part of the name that distinguishes its RDMA networks from others."""
        return "falcon" if self.rdma_nic == "IRDMA" else "rdma"

    @property
    def rdma_nic(self) -> RdmaNic:
        """The kind of its RDMA interfaces."""
        return "IRDMA" if "IRDMA" in self.nic_types else "MRDMA"

    @property
    def nics(self) -> int:
        """Number of interfaces of a machine, the first one included."""
        return 1 + self.extra_vpcs + self.rdma_nics

    @property
    def left_to_gke(self) -> "NetworkLayout":
        """The same machines with the first interface only: GKE connects the others."""
        return msgspec.structs.replace(self, extra_vpcs=0, rdma_vpcs=0, rdma_subnets=0, rdma_nics=0)

    @property
    def with_second(self) -> "NetworkLayout":
        """The same machines with a second interface, if they have but one and take another."""
        return self if self.nics > 1 or self.max_nics == 1 else msgspec.structs.replace(self, extra_vpcs=1)


@cache
def _table() -> dict[str, NetworkLayout]:
    layouts = read_table("google/networks", dict[str, NetworkLayout])
    return {key: msgspec.structs.replace(layout, key=key) for key, layout in layouts.items()}


def network_layout(key: str) -> NetworkLayout:
    """The layout of a key that a machine family names; KeyError for any other."""
    return _table()[key]
