"""Cloud Storage: buckets, objects and Anywhere Caches."""

from __future__ import annotations

import base64
import email.message
import email.parser
import email.policy
import hashlib
import json
import urllib.parse

from clusterprint_simcloud.api.answering import NOW, PROJECT_NUMBER, Call, answers, settled
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Objects, Refusal, without_nulls

_LINK = "https://www.googleapis.com/storage/v1/"


def bucket(objects: Objects, body: Json) -> Json:
    """Make a bucket. Raises Refusal: its name may be taken, by whomever."""
    name = body["name"]
    key = f"storage/b/{name}"
    location = str(body.get("location") or "US").upper()
    value: Json = {
        **without_nulls(body),
        "kind": "storage#bucket",
        "id": name,
        "selfLink": f"{_LINK}b/{name}",
        "projectNumber": PROJECT_NUMBER,
        "metageneration": "1",
        "etag": "CAE=",
        "timeCreated": NOW,
        "updated": NOW,
        "location": location,
        "locationType": "region" if "-" in location else "multi-region",
    }
    if key in objects.objects:
        raise Refusal(409, "The requested bucket name is not available.", "conflict")
    return objects.add(key, settled(objects, "storage.Bucket", key, value))


@answers(r"storage\.buckets\.insert")
def _insert(call: Call) -> Json:
    return bucket(call.objects, call.body)


@answers(r"storage\.buckets\.delete")
def _delete(call: Call) -> Json:
    if any(call.objects.inside(f"{call.key}/o")):
        raise Refusal(409, "The bucket you tried to delete is not empty.", "conflict")
    call.objects.remove(call.key)
    return {}


@answers(r"storage\.objects\.insert")
def _upload(call: Call) -> Json:
    metadata, content = _parts(call)
    name = metadata.get("name") or call.query.get("name", "")
    holder = call.key.split("/")[2]
    path = f"b/{holder}/o/{name}"
    quoted = f"b/{holder}/o/{urllib.parse.quote(name, safe='')}"
    generation = call.objects.next_number()
    value: Json = {
        "contentType": "text/plain; charset=utf-8",
        "storageClass": "STANDARD",
        **metadata,
        "kind": "storage#object",
        "id": f"{holder}/{name}/{generation}",
        "name": name,
        "bucket": holder,
        "generation": generation,
        "metageneration": "1",
        "size": str(len(content)),
        "etag": "CAE=",
        "timeCreated": NOW,
        "updated": NOW,
        "selfLink": _LINK + quoted,
        "mediaLink": f"https://storage.googleapis.com/download/storage/v1/{quoted}",
        "md5Hash": base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode(),
        "crc32c": base64.b64encode(hashlib.sha256(content).digest()[:4]).decode(),
    }
    call.objects.get(f"storage/b/{holder}")
    call.objects.objects[f"storage/{path}"] = value
    return value


def _parts(call: Call) -> tuple[Json, bytes]:
    """The metadata and the content of an upload."""
    if not call.content_type.startswith("multipart/"):
        return {}, call.raw
    head = f"Content-Type: {call.content_type}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + call.raw)
    first, second = message.iter_parts()
    metadata: Json = json.loads(_content(first) or b"{}")
    return metadata, _content(second)


def _content(part: email.message.Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


@answers(r"storage\.objects\.list")
def _list(call: Call) -> Json:
    start = call.query.get("prefix", "")
    collection = f"{call.key}/"
    found = [one for key, one in call.objects.objects.items() if key.startswith(collection + start)]
    return {"kind": "storage#objects", "items": found}


@answers(r"storage\.anywhereCaches\.insert")
def _insert_cache(call: Call) -> Json:
    zone = call.body["zone"]
    holder = call.key.split("/")[2]
    key = f"{call.key}/{zone}"
    call.objects.add(
        key,
        {
            **without_nulls(call.body),
            "kind": "storage#anywhereCache",
            "id": f"{holder}/{zone}",
            "anywhereCacheId": zone,
            "bucket": holder,
            "state": "running",
            "createTime": NOW,
            "updateTime": NOW,
            "pendingUpdate": False,
            "selfLink": f"{_LINK}b/{holder}/anywhereCaches/{zone}",
        },
    )
    return _done(call, key)


@answers(r"storage\.anywhereCaches\.update")
def _change_cache(call: Call) -> Json:
    call.objects.get(call.key).update(without_nulls(call.body))
    return _done(call, call.key)


@answers(r"storage\.anywhereCaches\.disable")
def _disable_cache(call: Call) -> Json:
    """A cache that is disabled goes away by itself, after an hour; here at once."""
    return {**call.objects.remove(call.target), "state": "disabled"}


def _done(call: Call, key: str) -> Json:
    holder, number, zone = key.split("/")[2], call.objects.next_number(), key.rpartition("/")[2]
    bucket_name = f"projects/_/buckets/{holder}"
    made: Json = {
        "kind": "storage#operation",
        "name": f"{bucket_name}/operations/{number}",
        "done": True,
        "selfLink": f"{_LINK}b/{holder}/operations/{number}",
        "response": {"name": f"{bucket_name}/anywhereCaches/{zone}", **call.objects.get(key)},
    }
    call.objects.operations[f"storage/b/{holder}/operations/{number}"] = made
    return made
