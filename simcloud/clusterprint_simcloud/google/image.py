"""Images. Which ones exist is not known here: what a configuration names is believed, in whatever project.

Only who asks for a list of images is told what was made here, by the stand-in for gcloud.
"""

from __future__ import annotations

import re
from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents
from clusterprint_simcloud.google.attributes import CREATED, number
from clusterprint_simcloud.google.links import COMPUTE

IMAGE = "google_compute_image"
IMAGES = "google_compute_images"
_NAME = re.compile(r'name ?= ?"?([-a-z0-9]+)"?')


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


def _read_images(contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    project, wanted = config.get("project"), str(config.get("filter") or "")
    name = _NAME.fullmatch(wanted)
    if wanted and name is None:
        message = f"googleapi: Error 400: Invalid value for field 'filter': '{wanted}'., invalid"
        raise ApiError(message)
    found = [
        one
        for one in contents.of(IMAGE)
        if one.state["project"] == project and (name is None or one.state["name"] == name[1])
    ]
    return {"id": f"projects/{project}/global/images", "images": [_listed(one.state) for one in found]}


def _listed(image: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": image["name"], "family": image["family"], "self_link": COMPUTE + image["id"],
        "labels": image["labels"], "disk_size_gb": image["disk_size_gb"], "source_disk": image["source_disk"],
        "image_id": number(image["id"], 16), "archive_size_bytes": 10 * 2**30, "description": "",
        "creation_timestamp": CREATED, "source_disk_id": "", "source_image_id": "",
    }  # fmt: skip


RESOURCES: tuple[ResourceType, ...] = ()
DATA_SOURCES = (DataSource(IMAGE, _read_image), DataSource(IMAGES, _read_images))
