"""Buckets and what is in them."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path as FilePath

from clusterprint_simcloud.cloud.behaviour import Plan, Reference, Request, ResourceType, State
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google.attributes import CREATED, number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.links import name_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.values import UNKNOWN, Path
from clusterprint_simcloud.work import machine_runs

BUCKET = "google_storage_bucket"
OBJECT = "google_storage_bucket_object"
CACHE = "google_storage_anywhere_cache"
_JSON_API = "https://www.googleapis.com/storage/v1/b/"
_NAME = re.compile(r"[a-z0-9](?:[-_.a-z0-9]{1,220}[a-z0-9])")
_UNCHANGED = "different hash"  # the provider's default, which says "compare"


def _bucket_name(value: str) -> str:
    return name_of(value.removeprefix("b/"))


def find_bucket(request: Request, value: str) -> Record | None:
    """A bucket by name; names are unique in the world."""
    return request.contents.get(BUCKET, _bucket_name(value))


def bucket() -> Reference:
    """An argument that names a bucket."""

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 404: The specified bucket does not exist., notFound ({value})"

    return Reference("bucket", find_bucket, missing, lambda a, b: _bucket_name(a) == _bucket_name(b))


def _check_name(request: Request) -> None:
    bucket = request.text("name")
    if not _NAME.fullmatch(bucket) or "google" in bucket or bucket.startswith("goog"):
        raise refusal(request, f"Invalid bucket name: '{bucket}'")


def _check_rapid(request: Request) -> None:
    """Documentation "Rapid Bucket": in one zone of its location, with a hierarchical namespace."""
    zones = block(request.state, "custom_placement_config").get("data_locations") or []
    if request.text("storage_class") != "RAPID":
        return
    if len(zones) != 1 or not str(zones[0]).startswith(request.text("location") + "-"):
        raise refusal(request, "A bucket of class RAPID is placed in one zone of its location.")
    if not block(request.state, "hierarchical_namespace").get("enabled"):
        raise refusal(request, "A bucket of class RAPID needs a hierarchical namespace.")
    if block(request.state, "soft_delete_policy").get("retention_duration_seconds"):
        raise refusal(request, "A bucket of class RAPID has no soft delete.")


def _check_cache(request: Request) -> None:
    """Documentation "Anywhere Cache": one for each zone of a bucket's location."""
    found = find_bucket(request, request.text("bucket"))
    place, zone = str(found.state.get("location") or "").lower() if found else "", request.text("zone")
    if "-" in place and not zone.startswith(place + "-"):
        raise refusal(request, f"Zone '{zone}' is not in the location of the bucket.")
    for one in request.contents.of(CACHE):
        same = (one.state.get("bucket"), one.state.get("zone")) == (request.text("bucket"), zone)
        if same and one.id != request.identity:
            raise refusal(request, f"The bucket has a cache in '{zone}' already.")


def _check_empty(request: Request) -> None:
    """Objects of this cloud keep a bucket; with force_destroy they go with it."""
    bucket = request.record
    objects = [one for one in request.contents.users_of(bucket) if one.type == OBJECT]
    if objects and not request.state.get("force_destroy"):
        text = "containing objects without `force_destroy` set to true"
        raise ApiError(f"Error trying to delete bucket {bucket.id} {text}")
    for one in objects:
        request.contents.remove(one)


def _content(contents: Contents, state: State) -> bytes | None:
    """The content of an object, None as long as it is not known.

    :raises ApiError: when the file to upload is not there.
    """
    source, content = state.get("source"), state.get("content")
    if isinstance(source, str) and source:
        found = [path for one in contents.folders or ["."] if (path := FilePath(one, source)).is_file()]
        if not found:
            message = f"Error uploading object: open {source}: no such file or directory"
            raise ApiError(message)
        return found[0].read_bytes()
    return content.encode() if isinstance(content, str) else None


def _start(request: Request) -> None:
    """A file that describes a run of machines starts it, as its nodes would once they have it."""
    said = machine_runs.described(request.state.get("content"))
    if said is not None:
        times = request.contents.leases.setdefault(machine_runs.STARTED, {})
        times.setdefault(said.place, str(request.contents.rest.clock))


def _md5(content: bytes) -> str:
    return base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode()


def _plan_content(plan: Plan) -> None:
    """Compare by checksum, so that a changed local file is seen (the provider's detect_md5hash)."""
    if plan.prior is None or plan.state.get("detect_md5hash") is UNKNOWN:
        return
    try:
        content = _content(plan.cloud.read(), plan.state)
    except ApiError:
        return  # said at apply, as by the provider
    before = plan.prior.get("md5hash")
    if content is not None and _md5(content) == before:
        plan.state["detect_md5hash"] = plan.prior.get("detect_md5hash")
    elif plan.state.get("detect_md5hash") == _UNCHANGED:
        for name in ("md5hash", "crc32c", "generation"):
            plan.state[name] = UNKNOWN
        plan.state["detect_md5hash"] = _UNCHANGED


def _upload(request: Request) -> None:
    content = _content(request.contents, request.state)
    if content is not None:
        request.state["md5hash"] = request.state["detect_md5hash"] = _md5(content)
        request.state["generation"] = 1700000000000000 + request.serial


RESOURCES = (
    ResourceType(
        BUCKET,
        "bucket",
        "{name}",
        known(BUCKET),
        virtual=["force_destroy"],
        computed={
            "url": "gs://{name}",
            "self_link": _JSON_API + "{name}",
            "project_number": lambda request, _path: int(number(request.text("project"), 12)),
            "public_access_prevention": "inherited",
            "uniform_bucket_level_access": False,
            "rpo": "DEFAULT",
            "time_created": "2025-01-01T00:00:00.000Z",
            "updated": "2025-01-01T00:00:00.000Z",
            "soft_delete_policy.effective_time": "2025-01-01T00:00:00.000Z",
        },
        service="storage.googleapis.com",
        checks=[_check_name, _check_rapid],
        deleting=[_check_empty],
    ),
    ResourceType(
        CACHE,
        "AnywhereCache",
        "{bucket}/{zone}",
        known(CACHE),
        computed={
            "anywhere_cache_id": "{zone}",
            "create_time": CREATED,
            "update_time": CREATED,
            "pending_update": False,
            "state": "running",
        },
        references=[bucket()],
        checks=[_check_cache],
    ),
    ResourceType(
        OBJECT,
        "object",
        "{bucket}-{name}",
        known(OBJECT),
        computed={
            "output_name": "{name}",
            "content_type": "text/plain; charset=utf-8",
            "storage_class": "STANDARD",
            "self_link": _JSON_API + "{bucket}/o/{name}",
            "media_link": "https://storage.googleapis.com/download/storage/v1/b/{bucket}/o/{name}?alt=media",
            "kms_key_name": "",
            "crc32c": "AAAAAA==",
            "content": "",
        },
        references=[bucket()],
        planned=[_plan_content],
        created=[_upload, _start],
        updated=[_upload, _start],
    ),
)
