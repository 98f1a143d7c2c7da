"""Buckets, objects, generations, preconditions: what the emulator holds, in memory."""

from __future__ import annotations

import base64
import hashlib
import re
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Query = Mapping[str, str]
Metadata = dict[str, Any]
# What a client may set on an object.
_SETTABLE = ("contentType", "metadata", "cacheControl", "contentEncoding", "contentDisposition")
_CASTAGNOLI = 0x82F63B78


class Refusal(Exception):  # noqa: N818  (not an error of this program: an answer)
    """The service says no: HTTP status, message, and the reason in Google's words."""

    def __init__(self, status: int, message: str, reason: str = "backendError") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.reason = reason


@dataclass
class Fault:
    """Requests that fail or take long: method and a regular expression on the path with its query.

    The rule acts on those number `nth` to `nth + times - 1`. With `after`, a request has its effect before it
    fails; with `drop`, the connection ends without an answer.
    """

    path: str
    method: str = ".*"
    status: int = 503  # 0: only the delay
    nth: int = 1
    times: int = 1
    delay: float = 0.0  # seconds
    message: str = "injected by a fault rule"
    reason: str = "backendError"
    after: bool = False
    drop: bool = False
    met: int = 0

    def fits(self, method: str, path: str) -> bool:
        """Whether a request is one that the rule counts."""
        return bool(re.fullmatch(self.method, method)) and bool(re.search(self.path, path))

    def acts(self) -> bool:
        """Count a request that fits; whether the rule acts on it."""
        self.met += 1
        return self.nth <= self.met < self.nth + self.times


@dataclass
class Generation:
    """One version of an object."""

    metadata: Metadata
    data: bytes
    live: bool = True


@dataclass
class Bucket:
    """One bucket; each object is a list of generations, of which the last may be live."""

    metadata: Metadata
    objects: dict[str, list[Generation]] = field(default_factory=dict)

    @property
    def keeps_versions(self) -> bool:
        """Whether object versioning is on."""
        return bool(self.metadata.get("versioning", {}).get("enabled"))


class Store:
    """All buckets. Methods are safe to call from several threads."""

    def __init__(self) -> None:
        self.buckets: dict[str, Bucket] = {}
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []  # (method, path with query), in order
        self._lock = threading.RLock()
        self._generation = int(time.time() * 1e6)

    @contextmanager
    def session(self, *, changing: bool) -> Iterator[None]:  # noqa: ARG002  (what keeps more than this one asks)
        """A transaction: no other writer gets in between."""
        with self._lock:
            yield

    # ---- buckets

    def make_bucket(self, name: str, **metadata: Any) -> Metadata:
        """Make a bucket; versioning is off unless `versioning={"enabled": True}`.

        :raises Refusal: when there is one of that name.
        """
        with self._lock:
            if name in self.buckets:
                raise Refusal(
                    409,
                    "Your previous request to create the named bucket succeeded and you already own it.",
                    "conflict",
                )
            full = {
                "kind": "storage#bucket", "id": name, "name": name, "location": "US", "metageneration": "1",
                "storageClass": "STANDARD", "versioning": {"enabled": False}, "projectNumber": "1",
                **metadata,
            }  # fmt: skip
            self.buckets[name] = Bucket(full)
            return full

    def bucket(self, name: str) -> Bucket:
        """The bucket of a name.

        :raises Refusal: when there is none.
        """
        if name not in self.buckets:
            raise Refusal(404, "The specified bucket does not exist.", "notFound")
        return self.buckets[name]

    def delete_bucket(self, name: str) -> None:
        """Delete an empty bucket.

        :raises Refusal: when it is not empty, or not there.
        """
        with self._lock:
            if self.bucket(name).objects:
                raise Refusal(409, "The bucket you tried to delete is not empty.", "conflict")
            del self.buckets[name]

    # ---- objects

    def live(self, bucket: str, name: str) -> Generation | None:
        """The live generation of an object, or None."""
        versions = self.bucket(bucket).objects.get(name)
        return versions[-1] if versions and versions[-1].live else None

    def find(self, bucket: str, name: str, query: Query | None = None) -> Generation:
        """The live generation, or the one that the query names, if it fits the query's preconditions.

        :raises Refusal: when it is not there or does not fit.
        """
        wanted = (query or {}).get("generation")
        if wanted is None:
            found = self.live(bucket, name)
        else:
            versions = self.bucket(bucket).objects.get(name, [])
            found = next((one for one in versions if one.metadata["generation"] == wanted), None)
        if found is None:
            raise Refusal(404, f"No such object: {bucket}/{name}", "notFound")
        _check_preconditions(found, query or {})
        return found

    def put(
        self,
        bucket: str,
        name: str,
        data: bytes,
        metadata: Metadata | None = None,
        query: Query | None = None,
    ) -> Metadata:
        """Write an object, if the preconditions hold.

        :raises Refusal: 412 when they do not, 404 without the bucket.
        """
        with self._lock:
            holder = self.bucket(bucket)
            _check_preconditions(self.live(bucket, name), query or {})
            self._generation += 1
            full = _metadata(bucket, name, data, self._generation)
            full |= {key: value for key, value in (metadata or {}).items() if key in _SETTABLE and value}
            kept = holder.objects.get(name, []) if holder.keeps_versions else []
            for one in kept:
                one.live = False
            holder.objects[name] = [*kept, Generation(full, data)]
            return full

    def delete(self, bucket: str, name: str, query: Query | None = None) -> None:
        """Delete an object (with versioning: make it noncurrent), or the one generation that the query names.

        :raises Refusal: 412 when a precondition does not hold, 404 when it is not there.
        """
        with self._lock:
            found = self.find(bucket, name, query)
            holder = self.bucket(bucket)
            if holder.keeps_versions and "generation" not in (query or {}):
                found.live = False
                return
            holder.objects[name].remove(found)
            if not holder.objects[name]:
                del holder.objects[name]

    def update(self, bucket: str, name: str, changes: Metadata, query: Query | None = None) -> Metadata:
        """Change an object's metadata."""
        with self._lock:
            found = self.find(bucket, name, query)
            found.metadata |= {key: value for key, value in changes.items() if key in _SETTABLE}
            found.metadata["metageneration"] = str(int(found.metadata["metageneration"]) + 1)
            return found.metadata

    def listing(self, bucket: str, query: Query | None = None) -> dict[str, Any]:
        """The objects of a bucket: `prefix`, `delimiter` and `versions` as in the API."""
        query = query or {}
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
        everything = query.get("versions", "").lower() == "true"
        items: list[Metadata] = []
        prefixes: set[str] = set()
        with self._lock:
            for name, versions in sorted(self.bucket(bucket).objects.items()):
                shown = [one.metadata for one in versions if everything or one.live]
                rest = name[len(prefix) :]
                if not name.startswith(prefix) or not shown:
                    continue
                if delimiter and delimiter in rest:
                    prefixes.add(prefix + rest.split(delimiter)[0] + delimiter)
                else:
                    items += shown
        return {"kind": "storage#objects", "items": items, "prefixes": sorted(prefixes)}

    def names(self, bucket: str) -> list[str]:
        """The names of the live objects of a bucket."""
        return [item["name"] for item in self.listing(bucket)["items"]]


def _check_preconditions(found: Generation | None, query: Query) -> None:
    generation = int(found.metadata["generation"]) if found else 0
    metageneration = int(found.metadata["metageneration"]) if found else 0
    broken = (
        int(query.get("ifGenerationMatch", generation)) != generation
        or int(query.get("ifGenerationNotMatch", -1)) == generation
        or int(query.get("ifMetagenerationMatch", metageneration)) != metageneration
        or int(query.get("ifMetagenerationNotMatch", -1)) == metageneration
    )
    if broken:
        raise Refusal(
            412, "At least one of the pre-conditions you specified did not hold.", "conditionNotMet"
        )


def _metadata(bucket: str, name: str, data: bytes, generation: int) -> Metadata:
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    return {
        "kind": "storage#object", "id": f"{bucket}/{name}/{generation}", "name": name, "bucket": bucket,
        "generation": str(generation), "metageneration": "1", "contentType": "application/octet-stream",
        "storageClass": "STANDARD", "size": str(len(data)), "timeCreated": now, "updated": now,
        "etag": str(generation),
        "md5Hash": base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode(),
        "crc32c": base64.b64encode(struct.pack(">I", crc32c(data))).decode(),
    }  # fmt: skip


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (_CASTAGNOLI if value & 1 else 0)  # noqa: PLW2901
        table.append(value)
    return table


_CRC = _crc_table()


def crc32c(data: bytes) -> int:
    """The checksum that Google's clients verify (Castagnoli)."""
    value = 0xFFFFFFFF
    for byte in data:
        value = _CRC[(value ^ byte) & 255] ^ (value >> 8)
    return value ^ 0xFFFFFFFF
