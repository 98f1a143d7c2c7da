"""Existing objects to which stacks refer: buckets, keys, networks, file systems, clusters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from clusterprint_simcloud.api import gke, storage
from clusterprint_simcloud.api.answering import COMPUTE, NOW
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Objects, path_of
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.gke.versions import NEWEST

_NETWORK = re.compile(r"\"(?:https://[^\"]*?/compute/v1/)?(projects/[\w-]+/global/networks/[\w-]+)\"")

# A platform team's cluster: everything that workloads may want of it is switched on.
_ADDONS = (
    "dnsCacheConfig",
    "gcePersistentDiskCsiDriverConfig",
    "gcpFilestoreCsiDriverConfig",
    "gcsFuseCsiDriverConfig",
    "highScaleCheckpointingConfig",
    "lustreCsiDriverConfig",
    "parallelstoreCsiDriverConfig",
    "rayOperatorConfig",
)
_PLATFORM: Json = {
    "initialClusterVersion": NEWEST,
    "autopilot": {},
    "networkConfig": {"enableMultiNetworking": True, "datapathProvider": "ADVANCED_DATAPATH"},
    "controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"allowExternalTraffic": True}},
    "addonsConfig": {one: {"enabled": True} for one in _ADDONS},
}


def assume(objects: Objects, stack: Mapping[str, Any]) -> None:
    """Create it all, unless it is there."""
    provider: Json = next(iter(stack.get("provider", {}).get("google", [])), {})
    for kind, block in _blocks(stack.get("data", {})):
        place = block.get("location") or block.get("zone") or provider.get("region", "")
        parent = f"projects/{block.get('project') or provider.get('project')}/locations/{place}"
        _existing(objects, kind, parent, block)
    for kind, block in _blocks(stack.get("resource", {})):
        bucket = block.get("bucket")
        if kind.startswith("google_storage_bucket_") and isinstance(bucket, str) and "${" not in bucket:
            _once(
                objects,
                f"storage/b/{bucket}",
                lambda bucket=bucket: storage.bucket(objects, {"name": bucket}),
            )
    for path in _NETWORK.findall(json.dumps(stack)):
        network = {"name": path.rpartition("/")[2], "selfLink": COMPUTE + path, "id": "1", "mtu": 8896}
        objects.objects.setdefault(f"compute/{path}", network)


def _existing(objects: Objects, kind: str, parent: str, block: Json) -> None:
    name = block.get("instance_id") or block.get("name", "")
    path = f"{parent}/instances/{name}"
    network = {"network": "default", "ipAddresses": ["10.9.9.2"], "modes": ["MODE_IPV4"]}
    match kind:
        case "google_filestore_instance":
            share = {"name": "share", "capacityGb": "1024"}
            value: Json = {"tier": "ZONAL", "state": "READY", "fileShares": [share], "networks": [network]}
            objects.objects.setdefault(f"file/{path}", {"name": path, "createTime": NOW, **value})
        case "google_lustre_instance":
            value = {"capacityGib": "18000", "filesystem": "scratch", "perUnitStorageThroughput": "500"}
            value |= {"network": "projects/x/global/networks/x", "mountPoint": "10.9.9.8@tcp:/scratch"}
            objects.objects.setdefault(f"lustre/{path}", {"name": path, "state": "ACTIVE", **value})
        case "google_container_cluster":
            key = f"container/{parent}/clusters/{name}"
            project = path_of(key).split("/")[1]
            cluster = {**_PLATFORM, "name": name}
            cluster["workloadIdentityConfig"] = {"workloadPool": f"{project}.svc.id.goog"}
            _once(objects, key, lambda: gke.cluster(objects, key, cluster))
        case "google_monitoring_notification_channel":
            path = f"{parent.partition('/locations/')[0]}/notificationChannels/{number(name, 9)}"
            email = {"type": "email", "labels": {"email_address": "x@example.com"}, "enabled": True}
            value = {"name": path, "displayName": block.get("display_name", ""), **email}
            objects.objects.setdefault(f"monitoring/{path}", value)


def _blocks(kinds: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    for kind, named in kinds.items():
        for block in named.values():
            yield kind, block


def _once(objects: Objects, key: str, make: Any) -> None:
    if key not in objects.objects:
        make()
