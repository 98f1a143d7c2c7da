"""Managed file systems: Filestore, Managed Lustre and Parallelstore."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from clusterprint_simcloud.arguments import Argument, adding
from clusterprint_simcloud.cloud.behaviour import DataSource, Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import GCE_NAME, known, named
from clusterprint_simcloud.google.instance import DISK
from clusterprint_simcloud.google.links import find, link, same
from clusterprint_simcloud.google.netapp import POOL
from clusterprint_simcloud.google.netapp import SERVICE as NETAPP
from clusterprint_simcloud.google.network import NETWORK
from clusterprint_simcloud.google.peering import ADDRESS, CONNECTION, GOOGLE, connection_to, reserved_ranges
from clusterprint_simcloud.google.ranges import Range
from clusterprint_simcloud.google.refusal import api_error, refusal
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.values import Path

FILESTORE = "google_filestore_instance"
LUSTRE = "google_lustre_instance"
PARALLELSTORE = "google_parallelstore_instance"
# Sizes in GiB: smallest, largest and step. Documentation "Filestore: service tiers".
_TIERS = {
    "BASIC_HDD": [(1024, 65433, 1)],
    "BASIC_SSD": [(2560, 65433, 1)],
    "ZONAL": [(1024, 9984, 256), (10240, 102400, 2560)],
    "REGIONAL": [(1024, 9984, 256), (10240, 102400, 2560)],
}
# Documentation "Managed Lustre: performance tiers".
_THROUGHPUTS = {
    "125": [(72000, 12240000, 72000)],
    "250": [(36000, 6120000, 36000), (6336000, 40032000, 288000)],
    "500": [(18000, 3060000, 18000), (3168000, 20016000, 144000)],
    "1000": [(9000, 1530000, 9000), (1584000, 10008000, 72000)],
}
# Documentation "Parallelstore: create an instance".
_SCRATCH = [(12000, 100000, 4000)]
#: The addresses of an instance with a peering of its own.
_OWN = 29


def _check_size(request: Request, size: int, bands: list[tuple[int, int, int]], before: int = 0) -> None:
    """A size that there is; of an instance with another size `before`, one of the same range."""
    if not any(low <= size <= high and (size - low) % step == 0 for low, high, step in bands):
        raise refusal(request, f"Invalid capacity {size} GiB: allowed are {bands}.", "badRequest")
    # Documentation "Zonal tier: limitations" and "increase the capacity of a Managed Lustre instance".
    if before and not any(low <= size <= high and low <= before <= high for low, high, _ in bands):
        raise refusal(request, "An instance cannot leave its range of capacities.", "badRequest")


def _is_private(request: Request) -> bool:
    mode = block(request.state, "networks").get("connect_mode")
    return request.kind.name in (LUSTRE, PARALLELSTORE) or mode == "PRIVATE_SERVICE_ACCESS"


def _connected(path: str) -> Reference:
    """The network's connection to Google's services, which has to be there and to stay."""

    def found(request: Request, value: str) -> Record | None:
        network = find(request, value, NETWORK)
        if not _is_private(request):
            return network  # nothing else is needed
        return connection_to(request.contents, network)

    def missing(_request: Request, _steps: Path, value: str) -> str:
        text = f"network '{value}' has no private services access connection"
        return f"googleapi: Error 400: {text}., badRequest"

    return Reference(path, found, missing, same)


def _check_filestore(request: Request) -> None:
    tier = request.text("tier")
    if tier not in _TIERS:
        raise refusal(request, f"Invalid tier '{tier}'.", "badRequest")
    size = int(block(request.state, "file_shares")["capacity_gb"])
    before = int(block(request.prior, "file_shares")["capacity_gb"]) if request.prior is not None else 0
    _check_size(request, size, _TIERS[tier], before)
    backup = str(block(request.state, "file_shares").get("source_backup") or "")
    if backup and not backup.startswith(request.formatted("projects/{project}/")):
        raise refusal(request, f"Backup '{backup}' is in another project.", "badRequest")
    if request.text("protocol") == "NFS_V4_1" and tier.startswith("BASIC"):
        raise refusal(request, f"Protocol NFS_V4_1 is not available in tier {tier}.", "badRequest")
    # https://github.com/hashicorp/terraform-provider-google/issues/20311
    if request.state.get("deletion_protection_enabled") and tier.startswith("BASIC"):
        raise refusal(request, f"Deletion protection is not supported for tier {tier}.", "badRequest")
    is_zone = request.text("location").count("-") > 1
    if is_zone == (tier == "REGIONAL"):
        raise refusal(request, f"Tier {tier} is not available in '{request.text('location')}'.", "badRequest")
    if tier.startswith("BASIC") and size < before:
        raise refusal(request, f"Instances of tier {tier} cannot be made smaller.", "badRequest")


def _check_lustre(request: Request) -> None:
    throughput = str(request.state.get("per_unit_storage_throughput") or "")
    if throughput not in _THROUGHPUTS:
        raise refusal(request, f"Invalid per_unit_storage_throughput '{throughput}'.", "badRequest")
    size = int(request.state["capacity_gib"])
    before = int(request.prior["capacity_gib"]) if request.prior is not None else 0
    _check_size(request, size, _THROUGHPUTS[throughput], before)
    if size < before:
        raise refusal(request, "The capacity of an instance cannot be decreased.", "badRequest")


def _check_parallelstore(request: Request) -> None:
    _check_size(request, int(request.state["capacity_gib"]), _SCRATCH)
    is_zone = request.text("location").count("-") > 1
    if not is_zone:
        raise refusal(request, f"Invalid location '{request.text('location')}'.", "badRequest")


def _refuse_protected(request: Request) -> None:
    if request.record.state.get("deletion_protection_enabled"):
        text = f"The instance '{request.identity}' has deletion protection enabled."
        raise api_error(f"Error deleting {request.kind.label}", text, "failedPrecondition")


def _lease(request: Request) -> str:
    """An address: in a range that is reserved for Google's services, or from a range of its own."""
    network = find(
        request, request.text("network") or str(block(request.state, "networks")["network"]), NETWORK
    )
    ranges = reserved_ranges(request.contents, network) if network and _is_private(request) else []
    taken = request.contents.leases.setdefault("addresses of file systems", {})
    for inside in ranges or [Range("10.254.0.0/16")]:
        for one in inside.subnets(new_prefix=max(_OWN, inside.prefixlen)):
            address = str(one[2])
            if taken.get(address, request.identity) == request.identity:
                taken[address] = request.identity
                return address
    raise refusal(request, "The reserved ranges are exhausted.", "RANGE_EXHAUSTED")


def _addresses(request: Request, _path: Path) -> list[str]:
    return [_lease(request)]


def _reserved_range(request: Request, _path: Path) -> str:
    return str(Range((int(ipaddress.IPv4Address(_lease(request))) - 2, _OWN)))


def _mount_point(request: Request, _path: Path) -> str:
    return f"{_lease(request)}@tcp:/{request.text('filesystem')}"


def _access_points(request: Request, _path: Path) -> list[str]:
    first = ipaddress.IPv4Address(_lease(request))
    return [str(first + index) for index in range(3)]


def _reader(kind: str, key: str) -> Callable[[Contents, dict[str, Any]], dict[str, Any]]:
    def read(contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
        for one in contents.of(kind):
            if one.state.get(key) == config.get(key):
                return one.state
        message = f"Error reading {kind}: googleapi: Error 404: Resource '{config.get(key)}' was not found"
        raise ApiError(message)

    return read


RESOURCES = (
    ResourceType(
        FILESTORE,
        "Instance",
        "projects/{project}/locations/{location}/instances/{name}",
        named(FILESTORE),
        computed={
            "create_time": CREATED,
            "etag": "{serial}",
            "networks.ip_addresses": _addresses,
            "networks.reserved_ip_range": _reserved_range,
        },
        references=[link("networks.network", NETWORK), _connected("networks.network")],
        service="file.googleapis.com",
        checks=[_check_filestore],
        deleting=[_refuse_protected],
    ),
    ResourceType(
        LUSTRE,
        "Instance",
        "projects/{project}/locations/{location}/instances/{instance_id}",
        adding(
            known(LUSTRE),
            instance_id=Argument(matches=GCE_NAME),
            filesystem=Argument(matches="[a-zA-Z0-9]{1,8}"),
        ),
        computed={
            "name": "projects/{project}/locations/{location}/instances/{instance_id}",
            # Another one for each: by it a configuration tells an instance from the one before it.
            "create_time": "2025-01-01T00:00:00.{serial}Z",
            "update_time": CREATED,
            "state": "ACTIVE",
            "mount_point": _mount_point,
        },
        references=[link("network", NETWORK), _connected("network")],
        service="lustre.googleapis.com",
        checks=[_check_lustre],
    ),
    ResourceType(
        PARALLELSTORE,
        "Instance",
        "projects/{project}/locations/{location}/instances/{instance_id}",
        adding(known(PARALLELSTORE), instance_id=Argument(matches=GCE_NAME)),
        computed={
            "name": "projects/{project}/locations/{location}/instances/{instance_id}",
            "create_time": CREATED,
            "update_time": CREATED,
            "state": "ACTIVE",
            "access_points": _access_points,
        },
        references=[link("network", NETWORK), _connected("network")],
        service="parallelstore.googleapis.com",
        checks=[_check_parallelstore],
    ),
)
DATA_SOURCES = (
    DataSource(FILESTORE, _reader(FILESTORE, "name")),
    DataSource(LUSTRE, _reader(LUSTRE, "instance_id")),
)


# ---- what a configuration names but does not make

#: What tells them from others of their type.
BY_NAME = {DISK: "name", FILESTORE: "name", LUSTRE: "instance_id", CONNECTION: "network", ADDRESS: "name"}
_ADDRESS = "10.253.0.2"
_SHARE = {
    "networks": [
        {
            "network": "theirs",
            "modes": ["MODE_IPV4"],
            "connect_mode": "PRIVATE_SERVICE_ACCESS",
            "reserved_ip_range": "",
            "ip_addresses": [_ADDRESS],
        }
    ],
    "file_shares": [{"name": "theirs", "capacity_gb": 1024, "nfs_export_options": [], "source_backup": ""}],
}


def existing(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """File systems that are looked up."""
    for kind, key in ((FILESTORE, "name"), (LUSTRE, "instance_id")):
        for document in documents:
            for source in document.get("data", {}).get(kind, {}).values():
                name = str(source[key])
                state: dict[str, Any] = {"id": name, key: name, "mount_point": f"{_ADDRESS}@tcp:/theirs"}
                if kind == FILESTORE:
                    state |= _SHARE
                yield Record(kind, name, state, builtin=True)


def connected(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Private services access of networks that are there already and have file systems made in them."""
    made = [
        one for document in documents for one in document.get("resource", {}).get(CONNECTION, {}).values()
    ]
    named = {(str(one.get("network")), str(one.get("service"))) for one in made}
    for document in documents:
        resources = document.get("resource", {})
        wanted = [
            (str(one["network"]), GOOGLE)
            for kind in (LUSTRE, PARALLELSTORE)
            for one in resources.get(kind, {}).values()
        ]
        wanted += [(str(one["network"]), NETAPP) for one in resources.get(POOL, {}).values()]
        wanted += [
            (str(one["networks"][0]["network"]), GOOGLE) for one in resources.get(FILESTORE, {}).values()
        ]
        for path, service in sorted(set(wanted) - named):
            if "${" in path:
                continue
            network = f"{NETWORK} {path}"
            project = path.split("/")[1]
            address = {"name": "theirs", "project": project, "purpose": "VPC_PEERING", "prefix_length": 20}
            yield Record(
                ADDRESS,
                f"projects/{project}/global/addresses/theirs",
                {**address, "id": "theirs", "address": "10.252.0.0"},
                [network],
                builtin=True,
            )
            state = {"id": path, "network": path, "service": service, "reserved_peering_ranges": ["theirs"]}
            yield Record(CONNECTION, f"{path}:{service}", state, [network], builtin=True)


def disks(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Disks that templates name, and nobody makes."""
    for document in documents:
        providers = document.get("provider", {}).get("google", [{}])
        default = providers[0] if isinstance(providers, list) else providers
        for template in document.get("resource", {}).get("google_compute_instance_template", {}).values():
            for one in template.get("disk", []):
                name = str(one.get("source") or "${")
                if "${" not in name:
                    place = {"project": str(default.get("project")), "zone": str(default.get("zone"))}
                    identity = f"projects/{place['project']}/zones/{place['zone']}/disks/{name}"
                    yield Record(DISK, identity, {"id": identity, "name": name, **place}, builtin=True)
