"""Storage pools of Hyperdisk, and the disks in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import named
from clusterprint_simcloud.google.refusal import api_error, refusal

POOL = "google_compute_storage_pool"
# Documentation "Hyperdisk Storage Pools: limits", in GiB: 10 TiB, 5 PiB, and steps of one TiB.
_SMALLEST, _LARGEST, _STEP = 10 * 1024, 5 * 1024 * 1024, 1024
# projects/PROJECT/zones/ZONE/storagePools/NAME
_PARTS = 6
_TYPES = ("hyperdisk-balanced", "hyperdisk-throughput")


def _check(request: Request) -> None:
    kind = request.text("storage_pool_type").rpartition("/")[2]
    if kind not in _TYPES:
        raise refusal(request, f"Invalid storage pool type '{kind}'.", "invalid")
    size = int(request.state["pool_provisioned_capacity_gb"])
    if not _SMALLEST <= size <= _LARGEST or size % _STEP:
        raise refusal(request, f"Invalid pool provisioned capacity {size} GB.", "invalid")
    if request.state.get("pool_provisioned_iops") and kind != "hyperdisk-balanced":
        raise refusal(request, f"IOPS cannot be provisioned for a pool of {kind}.", "invalid")
    if request.prior is not None and request.prior.get("zone") != request.state.get("zone"):
        # The provider sends the pool of the new zone an order that it cannot follow: there is none.
        raise refusal(request, f"The resource '{request.identity}' was not found", "notFound")


def _refuse_protected(request: Request) -> None:
    """The provider asks nobody before it refuses, and goes by what the state says."""
    if request.state.get("deletion_protection"):
        text = "cannot destroy storage pool without setting deletion_protection=false"
        raise api_error("Error", f"{text} and running `terraform apply`", "failedPrecondition")


RESOURCES = (
    ResourceType(
        POOL,
        "StoragePool",
        "projects/{project}/zones/{zone}/storagePools/{name}",
        named(POOL),
        computed={
            "creation_timestamp": CREATED,
            "kind": "compute#storagePool",
            "label_fingerprint": "42WmSpB8rSM=",
            "resource_status": [],
            "status": [],
        },
        service="compute.googleapis.com",
        # Its read sets the default only where the state says nothing (resource_compute_storage_pool.go).
        virtual=["deletion_protection"],
        checks=[_check],
        deleting=[_refuse_protected],
    ),
)


def existing(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Pools that disks name by their paths, and nobody makes."""
    made = {
        (str(one.get("zone")), str(one.get("name")))
        for document in documents
        for one in document.get("resource", {}).get(POOL, {}).values()
    }
    for path in sorted({path for document in documents for path in _named(document)}):
        parts = path.split("/")
        if len(parts) == _PARTS and (parts[3], parts[5]) not in made:
            place = {"project": parts[1], "zone": parts[3], "name": parts[5]}
            yield Record(POOL, path, {"id": path, **place}, builtin=True)


def _named(document: dict[str, Any]) -> Iterator[str]:
    resources = document.get("resource", {})
    for template in resources.get("google_compute_instance_template", {}).values():
        yield from (
            str(each["storage_pool"]) for each in template.get("disk", []) if each.get("storage_pool")
        )
    for pool in resources.get("google_container_node_pool", {}).values():
        config = pool.get("node_config") or {}
        yield from map(str, (config[0] if isinstance(config, list) else config).get("storage_pools") or [])
