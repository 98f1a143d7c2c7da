"""The network interfaces of an instance or a template: what fits together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.links import find, name_of, region_of
from clusterprint_simcloud.google.machines import INTERFACES, MOST_INTERFACES, Interfaces, takes_falcon
from clusterprint_simcloud.google.network import (
    NETWORK,
    SUBNETWORK,
    network_of,
    rdma_kind,
    rdma_zone,
    subnetworks_of,
)
from clusterprint_simcloud.google.refusal import refusal


@dataclass(frozen=True)
class Interface:
    """One interface with what it is attached to; in an auto mode network, the region's subnetwork."""

    index: int
    network: Record
    subnetwork: Record | None
    kind: str  # GVNIC | VIRTIO_NET | MRDMA | ...

    @property
    def is_rdma(self) -> bool:
        """Whether it is an RDMA interface."""
        return self.kind in {"MRDMA", "IRDMA"}


def check(request: Request) -> None:
    """Refuse interfaces that the API would refuse, or that do not fit the machine type.

    :raises ApiError: for the first mistake.
    """
    found = list(attached(request))
    for one in found:
        _check_kind(request, one)
        _check_place(request, one)
    ordinary = [one.network.key for one in found if not rdma_zone(one.network)]
    if len(ordinary) != len(set(ordinary)):
        raise refusal(request, "Networks must be distinct for NICs attached to a VM.")
    subnetworks = [one.subnetwork.key for one in found if one.subnetwork is not None]
    if len(subnetworks) != len(set(subnetworks)):
        raise refusal(request, "Subnetworks must be distinct for NICs attached to a VM.")
    _check_number(request, found)


def attached(request: Request) -> Iterator[Interface]:
    """The interfaces with the records they name, which exist: references have been resolved.

    :raises ApiError: when an interface names neither, or a custom mode network without a subnetwork.
    """
    for index, one in enumerate(request.state.get("network_interface") or []):
        scoped = Request(request.contents, request.kind, {**request.state, **_project_of(request, one)}, None)
        subnetwork = find(scoped, one["subnetwork"], SUBNETWORK) if one.get("subnetwork") else None
        network = find(request, one["network"], NETWORK) if one.get("network") else None
        if subnetwork is not None:
            inside = network_of(request.contents, subnetwork)
            if network is not None and network.key != inside.key:
                raise refusal(request, f"Subnetwork '{subnetwork.id}' is not in network '{network.id}'.")
            network = inside
        if network is None:
            raise refusal(request, "At least one of network or subnetwork must be specified.")
        if subnetwork is None:
            subnetwork = _by_region(request, network)
        yield Interface(index, network, subnetwork, str(one.get("nic_type") or ""))


def _project_of(request: Request, interface: dict[str, Any]) -> dict[str, Any]:
    project = interface.get("subnetwork_project") or request.text("project")
    return {"project": project, "name": None}


def _by_region(request: Request, network: Record) -> Record | None:
    if not network.state.get("auto_create_subnetworks"):
        text = "Network interface must specify a subnet if the network resource is in custom subnet mode."
        raise refusal(request, text)
    region = region_of(request)
    return next(
        (one for one in subnetworks_of(request.contents, network) if one.state["region"] == region), None
    )


def _check_kind(request: Request, one: Interface) -> None:
    wanted = rdma_kind(one.network)
    if wanted and one.kind != wanted:
        kind = one.kind or "the default"
        text = f"Network '{one.network.id}' accepts interfaces of type {wanted} only, not {kind}."
        raise refusal(request, text)
    if one.is_rdma and not wanted:
        raise refusal(request, f"Interface type {one.kind} needs a network with an RDMA network profile.")


def _check_place(request: Request, one: Interface) -> None:
    region, zone = region_of(request), name_of(request.text("zone"))
    if one.subnetwork is not None and region and name_of(str(one.subnetwork.state["region"])) != region:
        raise refusal(request, f"Subnetwork '{one.subnetwork.id}' is not in region '{region}'.")
    if zone and rdma_zone(one.network) not in ("", zone):
        raise refusal(request, f"The network profile of '{one.network.id}' is not for zone '{zone}'.")


def _check_number(request: Request, found: list[Interface]) -> None:
    machine_type = name_of(request.text("machine_type"))
    rdma = sum(one.is_rdma for one in found)
    given = Interfaces(len(found) - rdma, rdma)
    wanted = INTERFACES.get(machine_type)
    if wanted is not None and given != wanted:
        has = f"{wanted.ordinary} ordinary and {wanted.rdma} RDMA network interfaces"
        text = f"Machine type {machine_type} has {has}, not {given.ordinary} and {given.rdma}."
        raise refusal(request, text)
    falcon = sum(one.kind == "IRDMA" for one in found)
    if falcon and takes_falcon(machine_type):
        if (falcon, found[0].kind == "IRDMA") != (1, False):
            raise refusal(
                request, f"Machine type {machine_type} has one IRDMA network interface, not the first."
            )
    elif wanted is None and rdma:
        raise refusal(request, f"Machine type {machine_type} has no RDMA network interfaces.")
    if len(found) > MOST_INTERFACES:
        raise refusal(
            request, f"At most {MOST_INTERFACES} network interfaces can be attached, not {len(found)}."
        )
