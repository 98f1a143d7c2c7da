"""Networks that Google's own services use: reserved ranges, connections, and pools of build machines."""

from __future__ import annotations

import ipaddress
from urllib.parse import quote

from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import known, named
from clusterprint_simcloud.google.links import find, link, plain, same
from clusterprint_simcloud.google.network import NETWORK, subnetworks_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.values import Path

ADDRESS = "google_compute_global_address"
CONNECTION = "google_service_networking_connection"
BUILD_POOL = "google_cloudbuild_worker_pool"
_PEERING = "VPC_PEERING"
GOOGLE = "servicenetworking.googleapis.com"
_INTERNAL = ipaddress.IPv4Network("10.0.0.0/8")


def _reserved(record: Record) -> ranges.Range | None:
    """The range that an address of the right purpose stands for."""
    if record.state.get("purpose") != _PEERING or not record.state.get("address"):
        return None
    return ranges.Range(f"{record.state['address']}/{int(record.state['prefix_length'])}")


def connection_to(contents: Contents, network: Record | None, service: str = GOOGLE) -> Record | None:
    """The connection of a network to somebody's services, of which it has one at most."""
    connections = [one for one in contents.of(CONNECTION) if one.state.get("service", GOOGLE) == service]
    return next((one for one in connections if network and network.key in one.references), None)


def reserved_ranges(contents: Contents, network: Record, service: str = GOOGLE) -> list[ranges.Range]:
    """The ranges of a network that its connection to somebody's services may use."""
    connection = connection_to(contents, network, service)
    used = set((connection.state.get("reserved_peering_ranges") or []) if connection else [])
    addresses = [one for one in contents.of(ADDRESS) if one.state.get("name") in used]
    return [found for one in addresses if network.key in one.references and (found := _reserved(one))]


def _taken(request: Request, network: Record) -> list[ranges.Range]:
    inside = [
        one for each in subnetworks_of(request.contents, network) for _, one in ranges.of_subnetwork(each)
    ]
    others = [one for one in request.contents.of(ADDRESS) if one.id != request.identity]
    return inside + [one for each in others if network.key in each.references and (one := _reserved(each))]


def _check_address(request: Request) -> None:
    if request.text("purpose") != _PEERING:
        return
    network = find(request, request.text("network"), NETWORK)
    if network is None or request.text("address_type") != "INTERNAL":
        raise refusal(request, "Purpose VPC_PEERING needs an INTERNAL address and a network.")
    length = request.state.get("prefix_length")
    if not length:
        raise refusal(request, "Purpose VPC_PEERING needs a prefix_length.")
    if request.text("address"):
        wanted = ranges.parse(f"{request.text('address')}/{int(length)}", "resource.address")
        for one in _taken(request, network):
            if wanted.overlaps(one):
                raise refusal(request, f"Requested range {wanted} conflicts with {one} in '{network.id}'.")


def _address(request: Request, _path: Path) -> str:
    network = find(request, request.text("network"), NETWORK) if request.text("network") else None
    if network is None or request.text("purpose") != _PEERING:
        return ranges.external(request.contents, request.record.key)
    taken = _taken(request, network)
    choices = _INTERNAL.subnets(new_prefix=int(request.state["prefix_length"]))
    return str(next(one for one in choices if not any(one.overlaps(other) for other in taken))[0])


def _connection_id(request: Request) -> str:
    network = find(request, request.text("network"), NETWORK)
    path = network.id if network else plain(request.text("network"))
    return f"{quote(path, safe='')}:{request.text('service')}"


def _check_reserved(request: Request) -> None:
    network = find(request, request.text("network"), NETWORK)
    for name in request.state.get("reserved_peering_ranges") or []:
        address = find(request, name, ADDRESS)
        if network is None or address is None:
            continue
        if address.state.get("purpose") != _PEERING or network.key not in address.references:
            text = f"Range '{name}' is not reserved for VPC_PEERING in '{network.id}'."
            raise refusal(request, text, "badRequest")


def _by_name() -> Reference:
    """Connections name their ranges, without a project: it is the network's."""

    def found(request: Request, value: str) -> Record | None:
        network = find(request, request.text("network"), NETWORK)
        project = str(network.state["project"]) if network else request.text("project")
        return request.contents.get(ADDRESS, f"projects/{project}/global/addresses/{value}")

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 400: Cannot find reserved range '{value}'., badRequest"

    return Reference("reserved_peering_ranges", found, missing)


def _peered() -> Reference:
    """Documentation "Private pools": the network needs a connection to Google's services first."""

    def found(request: Request, value: str) -> Record | None:
        return connection_to(request.contents, find(request, value, NETWORK))

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return (
            f"googleapi: Error 400: peered network '{value}' has no private service connection., badRequest"
        )

    return Reference("network_config.peered_network", found, missing, same)


def _check_build_pool(request: Request) -> None:
    if request.text("location") and "-" not in request.text("location"):
        raise ApiError(f"Error creating WorkerPool: Invalid location: {request.text('location')}")


RESOURCES = (
    ResourceType(
        ADDRESS,
        "GlobalAddress",
        "projects/{project}/global/addresses/{name}",
        named(ADDRESS),
        computed={"address": _address, "prefix_length": 0},
        references=[link("network", NETWORK)],
        service="compute.googleapis.com",
        checks=[_check_address],
    ),
    ResourceType(
        CONNECTION,
        "Service Networking Connection",
        _connection_id,
        known(CONNECTION),
        computed={"peering": lambda request, _path: request.text("service").replace(".", "-")},
        references=[link("network", NETWORK), _by_name()],
        service="servicenetworking.googleapis.com",
        checks=[_check_reserved],
    ),
    ResourceType(
        BUILD_POOL,
        "WorkerPool",
        "projects/{project}/locations/{location}/workerPools/{name}",
        known(BUILD_POOL),
        computed={
            "state": "RUNNING",
            "create_time": CREATED,
            "update_time": CREATED,
            "delete_time": "",
            "worker_config.no_external_ip": False,
        },
        references=[link("network_config.peered_network", NETWORK), _peered()],
        service="cloudbuild.googleapis.com",
        checks=[_check_build_pool],
    ),
)
