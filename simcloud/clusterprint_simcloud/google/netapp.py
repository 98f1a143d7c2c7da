"""NetApp Volumes: storage pools, and the volumes in them."""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import known, named
from clusterprint_simcloud.google.links import find, link, same
from clusterprint_simcloud.google.network import NETWORK
from clusterprint_simcloud.google.peering import connection_to, reserved_ranges
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.values import Path

POOL = "google_netapp_storage_pool"
VOLUME = "google_netapp_volume"
SERVICE = "netapp.servicenetworking.goog"
# Sizes in GiB. Documentation "NetApp Volumes: storage pools", and "volumes".
_SMALLEST_POOL, _LARGEST_POOL = 2048, 204800
_SMALLEST_VOLUME, _LARGEST_VOLUME = 100, 102400
_LEVELS = ("STANDARD", "PREMIUM", "EXTREME", _FLEX := "FLEX")
# Flex Unified. Documentation "NetApp Volumes: quotas and limits".
_SMALLEST_FLEX_POOL, _LARGEST_FLEX_POOL = 1024, 435200
_SMALLEST_FLEX_VOLUME, _LARGEST_FLEX_VOLUME = 1, 131072
_FLEX_THROUGHPUT = range(64, 5121)
_DASHES_OF_A_ZONE = 2


def _peered() -> Reference:
    def found(request: Request, value: str) -> Record | None:
        return connection_to(request.contents, find(request, value, NETWORK), SERVICE)

    def missing(_request: Request, _steps: Path, value: str) -> str:
        text = f"Please create Service Networking connection with service '{SERVICE}' from consumer project"
        return f"googleapi: Error 400: {text} network '{value}'., badRequest"

    return Reference("network", found, missing, same)


def _check_pool(request: Request) -> None:
    if request.text("service_level") not in _LEVELS:
        raise refusal(request, f"Invalid service level '{request.text('service_level')}'.", "badRequest")
    flex, size = request.text("service_level") == _FLEX, int(request.state["capacity_gib"])
    least, most = (_SMALLEST_FLEX_POOL, _LARGEST_FLEX_POOL) if flex else (_SMALLEST_POOL, _LARGEST_POOL)
    if not least <= size <= most:
        raise refusal(request, f"Invalid pool capacity {size} GiB.", "badRequest")
    in_zone = request.text("location").count("-") == _DASHES_OF_A_ZONE
    if in_zone and not flex:
        raise refusal(request, "Only Flex pools are zonal.", "badRequest")
    throughput = request.state.get("total_throughput_mibps")
    # What the service itself has said of a pool comes back with every update.
    said = (request.prior or {}).get("total_throughput_mibps")
    if throughput and throughput != said and not (flex and int(throughput) in _FLEX_THROUGHPUT):
        raise refusal(request, f"Invalid throughput {throughput} MiB/s.", "badRequest")
    held = sum(int(one.state["capacity_gib"]) for one in _volumes(request, request.text("name")))
    if request.prior is not None and size < held:
        raise refusal(request, "The pool would be smaller than the volumes in it.", "badRequest")


def _volumes(request: Request, pool: str) -> list[Record]:
    return [one for one in request.contents.of(VOLUME) if one.state.get("storage_pool") == pool]


def _pool_of(request: Request) -> Record | None:
    pools = request.contents.of(POOL)
    wanted = (request.text("storage_pool"), request.text("location"))
    return next((one for one in pools if (one.state["name"], one.state["location"]) == wanted), None)


def _in_pool() -> Reference:
    def found(request: Request, _value: str) -> Record | None:
        return _pool_of(request)

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 404: Storage pool '{value}' was not found, notFound"

    return Reference("storage_pool", found, missing)


def _check_volume(request: Request) -> None:
    size, pool = int(request.state["capacity_gib"]), _pool_of(request)
    flex = pool is not None and pool.state["service_level"] == _FLEX
    least, most = (
        (_SMALLEST_FLEX_VOLUME, _LARGEST_FLEX_VOLUME) if flex else (_SMALLEST_VOLUME, _LARGEST_VOLUME)
    )
    if not least <= size <= most:
        raise refusal(request, f"Invalid volume capacity {size} GiB.", "badRequest")
    others = [one for one in _volumes(request, request.text("storage_pool")) if one.id != request.identity]
    held = size + sum(int(one.state["capacity_gib"]) for one in others)
    if pool and held > int(pool.state["capacity_gib"]):
        raise refusal(request, "The storage pool has not enough capacity left.", "badRequest")


def _mounts(request: Request, _path: Path) -> list[dict[str, Any]]:
    pool = _pool_of(request)
    network = find(request, str(pool.state["network"]), NETWORK) if pool else None
    ranges = reserved_ranges(request.contents, network, SERVICE) if network else []
    address = str(ranges[0][4]) if ranges else "10.251.0.4"
    share = request.text("share_name")
    protocol = str((request.state.get("protocols") or ["NFSV3"])[0])
    full = f"{address}:/{share}"
    return [{"export": f"/{share}", "export_full": full, "instructions": "", "protocol": protocol}]


RESOURCES = (
    ResourceType(
        POOL,
        "StoragePool",
        "projects/{project}/locations/{location}/storagePools/{name}",
        named(POOL),
        computed={
            "encryption_type": "SERVICE_MANAGED",
            "volume_capacity_gib": "0",
            "volume_count": 0,
            "zone": "",
        },
        references=[link("network", NETWORK), _peered()],
        service="netapp.googleapis.com",
        checks=[_check_pool],
    ),
    ResourceType(
        VOLUME,
        "Volume",
        "projects/{project}/locations/{location}/volumes/{name}",
        known(VOLUME),
        computed={
            "active_directory": "",
            "cold_tier_size_gib": "0",
            "create_time": CREATED,
            "encryption_type": "SERVICE_MANAGED",
            "has_replication": False,
            "kms_config": "",
            "ldap_enabled": False,
            "mount_options": _mounts,
            "network": "",
            "psa_range": "",
            "replica_zone": "",
            "security_style": "UNIX",
            "service_level": lambda request, _path: (
                p.state["service_level"] if (p := _pool_of(request)) else ""
            ),
            "state": "READY",
            "state_details": "",
            "used_gib": "0",
            "zone": "",
        },
        references=[_in_pool()],
        service="netapp.googleapis.com",
        checks=[_check_volume],
    ),
)
