"""Images. Which ones exist is not known here, in whatever project: what a configuration names is believed."""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents
from clusterprint_simcloud.google.attributes import CREATED, number
from clusterprint_simcloud.google.links import COMPUTE

IMAGE = "google_compute_image"


def _read_image(_contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    project, family = config.get("project"), config.get("family")
    if not family and not config.get("name") and not config.get("filter"):
        message = "one of name, family or filters must be set"
        raise ApiError(message)
    name = config.get("name") or f"{family or 'image'}-v20250101"
    identity = f"projects/{project}/global/images/{name}"
    return {
        "id": identity, "name": name, "family": family or "", "self_link": COMPUTE + identity,
        "status": "READY", "image_id": number(identity, 16), "disk_size_gb": 50,
        "archive_size_bytes": 10 * 2**30, "labels": {},
        "licenses": [], "creation_timestamp": CREATED, "description": "", "label_fingerprint": "42WmSpB8rSM=",
        "image_encryption_key_sha256": "", "source_disk": "", "source_disk_encryption_key_sha256": "",
        "source_disk_id": "", "source_image_id": "",
    }  # fmt: skip


RESOURCES: tuple[ResourceType, ...] = ()
DATA_SOURCES = (DataSource(IMAGE, _read_image),)
