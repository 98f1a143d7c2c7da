"""The emulator's API: the JSON API, and the XML API's download that the Go client uses."""

from __future__ import annotations

import email.parser
import email.policy
import json
import re
import time
import urllib.parse
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clusterprint_simcloud.gcs.store import Fault, Generation, Metadata, Query, Refusal, Store

_JSON = "application/json"
_READING = frozenset(("GET", "HEAD"))
_PREFIX = r"(?:/storage/v1)?"
_HTTP_DATE = "%a, %d %b %Y %H:%M:%S GMT"


@dataclass
class Answer:
    """An HTTP response."""

    status: int = 200
    body: bytes = b""
    content_type: str = _JSON
    headers: dict[str, str] | None = None

    @classmethod
    def of(cls, document: Any, status: int = 200) -> Answer:
        """A JSON document."""
        return cls(status, json.dumps(document).encode())


@dataclass
class Call:
    """An HTTP request."""

    method: str
    path: str
    query: Query
    headers: Any
    body: bytes

    def document(self) -> Metadata:
        """The JSON body, empty if there is none."""
        found: Metadata = json.loads(self.body or b"{}")
        return found


class Service:
    """Answer calls from a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._uploads: dict[str, dict[str, Any]] = {}
        self._routes: list[tuple[re.Pattern[str], Callable[..., Answer]]] = [
            (re.compile(rf"/upload{_PREFIX}/b/([^/]+)/o"), self._upload),
            (re.compile(rf"{_PREFIX}/b/([^/]+)/o/(.+)/(?:rewriteTo|copyTo)/b/([^/]+)/o/(.+)"), self._copy),
            (re.compile(rf"(?:/download)?{_PREFIX}/b/([^/]+)/o/(.+)"), self._object),
            (re.compile(rf"{_PREFIX}/b/([^/]+)/o"), self._list),
            (re.compile(rf"{_PREFIX}/b/([^/]+)"), self._bucket),
            (re.compile(rf"{_PREFIX}/b"), self._buckets),
            (re.compile(r"/([^/]+)/(.+)"), self._download),
        ]

    def answer(self, call: Call) -> Answer:
        """Answer one call, with the faults that are due."""
        full = call.path + ("?" + urllib.parse.urlencode(call.query) if call.query else "")
        self.store.requests.append((call.method, full))
        try:
            fault = self._fault(call, full)
            if fault and not fault.after:
                _fail(fault)
            with self.store.session(changing=call.method not in _READING):
                answer = self._route(call)
            if fault:
                _fail(fault)
        except Refusal as refusal:
            detail = {"message": refusal.message, "domain": "global", "reason": refusal.reason}
            error = {"code": refusal.status, "message": refusal.message, "errors": [detail]}
            return Answer.of({"error": error}, refusal.status)
        return answer

    def _route(self, call: Call) -> Answer:
        for pattern, handler in self._routes:
            match = pattern.fullmatch(call.path)
            if match:
                return handler(call, *map(urllib.parse.unquote, match.groups()))
        raise Refusal(404, f"not emulated: {call.method} {call.path}", "notFound")

    def _fault(self, call: Call, full: str) -> Fault | None:
        """The first rule about this request, once those that only take time have taken it."""
        for fault in self.store.faults:
            if fault.fits(call.method, full) and fault.acts():
                time.sleep(fault.delay)
                if fault.status or fault.drop:
                    return fault
        return None

    # ---- buckets

    def _buckets(self, call: Call) -> Answer:
        if call.method == "POST":
            wanted = call.document()
            return Answer.of(self.store.make_bucket(wanted.pop("name"), **wanted))
        return Answer.of(
            {"kind": "storage#buckets", "items": [one.metadata for one in self.store.buckets.values()]}
        )

    def _bucket(self, call: Call, name: str) -> Answer:
        bucket = self.store.bucket(name)
        if call.method == "DELETE":
            self.store.delete_bucket(name)
            return Answer(204)
        if call.method == "PATCH":
            bucket.metadata.update(call.document())
        return Answer.of(bucket.metadata)

    def _list(self, call: Call, bucket: str) -> Answer:
        return Answer.of(self.store.listing(bucket, call.query))

    # ---- objects

    def _object(self, call: Call, bucket: str, name: str) -> Answer:
        if call.method == "DELETE":
            self.store.delete(bucket, name, call.query)
            return Answer(204)
        if call.method == "PATCH":
            return Answer.of(self.store.update(bucket, name, call.document(), call.query))
        found = self.store.find(bucket, name, call.query)
        return _media(found) if call.query.get("alt") == "media" else Answer.of(found.metadata)

    def _download(self, call: Call, bucket: str, name: str) -> Answer:
        if call.method not in {"GET", "HEAD"}:
            raise Refusal(404, f"not emulated: {call.method} {call.path}", "notFound")
        return _media(self.store.find(bucket, name, call.query))

    def _copy(self, call: Call, bucket: str, name: str, to_bucket: str, to_name: str) -> Answer:
        generation = call.query.get("sourceGeneration")
        source = self.store.find(bucket, name, {"generation": generation} if generation else None)
        made = self.store.put(to_bucket, to_name, source.data, source.metadata, call.query)
        if "/copyTo/" in call.path:
            return Answer.of(made)
        size = made["size"]
        done = {
            "kind": "storage#rewriteResponse",
            "done": True,
            "objectSize": size,
            "totalBytesRewritten": size,
        }
        return Answer.of({**done, "resource": made})

    # ---- uploads

    def _upload(self, call: Call, bucket: str) -> Answer:
        self.store.bucket(bucket)
        if call.method == "PUT":
            return self._continue(call, bucket)
        if call.query.get("uploadType") == "media":
            metadata = {"contentType": call.headers.get("Content-Type")}
            return Answer.of(self.store.put(bucket, call.query["name"], call.body, metadata, call.query))
        if call.query.get("uploadType") == "multipart":
            metadata, data = _parts(call)
            name = metadata.get("name") or call.query["name"]
            return Answer.of(self.store.put(bucket, name, data, metadata, call.query))
        return self._start(call, bucket)

    def _start(self, call: Call, bucket: str) -> Answer:
        metadata = call.document()
        upload = uuid.uuid4().hex
        name = metadata.get("name") or call.query.get("name")
        self._uploads[upload] = {"name": name, "metadata": metadata, "data": b"", "query": call.query}
        host = call.headers["Host"]
        where = f"http://{host}/upload/storage/v1/b/{bucket}/o?uploadType=resumable&upload_id={upload}"
        return Answer(200, b"{}", headers={"Location": where})

    def _continue(self, call: Call, bucket: str) -> Answer:
        upload = self._uploads[call.query["upload_id"]]
        upload["data"] += call.body
        if str(call.headers.get("Content-Range", "")).endswith("/*"):
            received = {"Range": f"bytes=0-{len(upload['data']) - 1}"} if upload["data"] else {}
            return Answer(308, headers=received)
        made = self.store.put(bucket, upload["name"], upload["data"], upload["metadata"], upload["query"])
        return Answer.of(made)


class Dropped(Exception):  # noqa: N818  (not an error of this program: no answer)
    """The connection ends without an answer."""


def _fail(fault: Fault) -> None:
    if fault.drop:
        raise Dropped
    raise Refusal(fault.status, fault.message, fault.reason)


def _media(found: Generation) -> Answer:
    metadata = found.metadata
    headers = {
        "X-Goog-Generation": metadata["generation"],
        "X-Goog-Metageneration": metadata["metageneration"],
        "X-Goog-Hash": f"crc32c={metadata['crc32c']},md5={metadata['md5Hash']}",
        "X-Goog-Stored-Content-Length": metadata["size"],
        "X-Goog-Storage-Class": "STANDARD",
        "ETag": f'"{metadata["etag"]}"',
        "Last-Modified": time.strftime(_HTTP_DATE, time.gmtime()),
    }
    return Answer(200, found.data, metadata["contentType"], headers)


def _parts(call: Call) -> tuple[Metadata, bytes]:
    """The metadata and the exact bytes of a multipart upload."""
    head = b"Content-Type: " + call.headers["Content-Type"].encode() + b"\r\n\r\n"
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + call.body)
    first, second = list(message.iter_parts())
    payload = first.get_payload(decode=True)
    metadata: Metadata = json.loads(payload if isinstance(payload, bytes) and payload else b"{}")
    metadata.setdefault("contentType", second.get_content_type())
    raw = call.body.split(b"--" + str(message.get_boundary()).encode())[2]
    return metadata, raw[raw.index(b"\r\n\r\n") + 4 : -2]
