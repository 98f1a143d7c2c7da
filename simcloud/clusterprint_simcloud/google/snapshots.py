"""Snapshots of Filestore instances, which lie inside them."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import named
from clusterprint_simcloud.google.filesystems import FILESTORE
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.values import Path

SNAPSHOT = "google_filestore_snapshot"
# Documentation "Filestore: service tiers", features.
_TIERS = frozenset({"ZONAL", "REGIONAL", "ENTERPRISE"})


def _instance_of(request: Request) -> Record | None:
    wanted = (request.text("instance"), request.text("location"))
    instances = request.contents.of(FILESTORE)
    return next((one for one in instances if (one.state["name"], one.state.get("location")) == wanted), None)


def _in_instance() -> Reference:
    def found(request: Request, _value: str) -> Record | None:
        return _instance_of(request)

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 404: Instance '{value}' was not found, notFound"

    return Reference("instance", found, missing)


def _check_tier(request: Request) -> None:
    instance = _instance_of(request)
    tier = str(instance.state.get("tier")) if instance else ""
    if instance and tier not in _TIERS:
        raise refusal(request, f"Snapshots are not supported for tier {tier}.", "badRequest")


RESOURCES = (
    ResourceType(
        SNAPSHOT,
        "Snapshot",
        "projects/{project}/locations/{location}/instances/{instance}/snapshots/{name}",
        named(SNAPSHOT),
        computed={"create_time": CREATED, "filesystem_used_bytes": "0", "state": "READY"},
        references=[_in_instance()],
        service="file.googleapis.com",
        checks=[_check_tier],
    ),
)
