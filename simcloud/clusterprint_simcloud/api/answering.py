"""The common methods: create, get, list, change and delete objects, and their policies."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, NamedTuple, TypeAlias

from clusterprint_simcloud.api.descriptions import Json, Method
from clusterprint_simcloud.api.objects import (
    Objects,
    Refusal,
    fill,
    merge,
    merge_masked,
    path_of,
    without_nulls,
)

#: Everything happens at once, always.
NOW = "2026-01-01T00:00:00.000Z"
PROJECT_NUMBER = "123456789012"
COMPUTE = "https://www.googleapis.com/compute/v1/"
_READY = ("READY", "RUNNING", "ACTIVE", "ENABLED", "AVAILABLE")
_TIMES = ("creationTimestamp", "createTime", "timeCreated", "updateTime", "updated")
_PRINTS = ("fingerprint", "labelFingerprint", "etag")
# Fields are named as in JSON by Compute Engine, as in protocol buffers by Monitoring.
_FILTER = re.compile(r"(?P<field>\w+)\s*=\s*\"(?P<value>[^\"]*)\"")
_IDENTITY = {"parent", "requestId"}


class Call(NamedTuple):
    """A request that was found right."""

    objects: Objects
    method: Method
    key: str
    query: Mapping[str, str]
    body: Json
    raw: bytes = b""
    content_type: str = ""

    @property
    def target(self) -> str:
        """The object that a method is called on, by the path without the method's own name."""
        return self.objects.resolved(re.sub(rf"[:/]{re.escape(self.method.verb)}$", "", self.key))

    @property
    def project(self) -> str:
        """The project of the path."""
        return self.key.split("/projects/", 1)[-1].split("/")[0].split(":")[0]


Answer: TypeAlias = Callable[[Call], Json]
_ANSWERS: list[tuple[re.Pattern[str], Answer]] = []


def answers(methods: str) -> Callable[[Answer], Answer]:
    """Registers what answers the methods that a pattern matches, in place of what most methods do."""

    def register(function: Answer) -> Answer:
        _ANSWERS.append((re.compile(methods), function))
        return function

    return register


#: What a service does with a new or changed object, by service and schema: `compute.Network`.
FINISHERS: dict[str, Callable[[Objects, str, Json], None]] = {}


def finishes(
    schema: str,
) -> Callable[[Callable[[Objects, str, Json], None]], Callable[[Objects, str, Json], None]]:
    """Registers what completes the objects of a schema: `(objects, key, value)`."""

    def register(function: Callable[[Objects, str, Json], None]) -> Callable[[Objects, str, Json], None]:
        FINISHERS[schema] = function
        return function

    return register


def answer(call: Call) -> Json:  # noqa: PLR0911  (one for each kind of method)
    """Do what a request asks for. Raises Refusal."""
    for pattern, function in _ANSWERS:
        if pattern.fullmatch(call.method.id):
            return function(call)
    verb = call.method.description["verb"]
    if call.method.creates:
        return _create(call)
    if call.method.verb == "get":
        return call.objects.get(call.key)
    if call.method.verb == "list":
        return _list(call)
    if call.method.verb.endswith("IamPolicy"):
        return _policy(call)
    if verb in ("PATCH", "PUT"):
        return _change(call)
    if verb == "DELETE":
        return finished(call, call.target, call.objects.remove(call.target), {})
    raise Refusal(501, f"{call.method.id} is not simulated", "notImplemented")


def _create(call: Call) -> Json:
    named = [
        value for name, value in call.query.items() if name.lower().endswith("id") and name not in _IDENTITY
    ]
    name = (named or [str(call.body.get("name") or call.objects.next_number()).rpartition("/")[2]])[0]
    key = f"{call.key}/{name}"
    value = call.objects.add(key, completed(call, key, without_nulls(call.body)))
    return finished(call, key, value, value)


def _list(call: Call) -> Json:
    fields = call.method.properties(call.method.response)
    field = next(
        name for name, each in fields.items() if each.get("type") == "array" and name != "unreachable"
    )
    found = filtered(call, [value for _, value in call.objects.inside(call.key)])
    return {field: found} if found else {}


def filtered(call: Call, found: list[Json]) -> list[Json]:
    """Objects that a list's `filter` selects: `name="first"`, on any one field. Others raise Refusal.

    A filter that was ignored would show the caller objects that it did not ask for.
    """
    if not (wanted := call.query.get("filter")):
        return found
    parts = _FILTER.fullmatch(wanted)
    if parts is None:
        raise Refusal(501, f"The filter {wanted} is not simulated", "notImplemented")
    field = re.sub(r"_([a-z])", lambda letter: letter[1].upper(), parts["field"])
    return [one for one in found if one.get(field) == parts["value"]]


def _change(call: Call) -> Json:
    value = call.objects.get(call.target)
    mask = call.query.get("updateMask") or call.query.get("update_mask")
    if mask:
        merge_masked(value, call.body, mask)
    else:
        merge(value, call.body)
    completed(call, call.target, value)
    return finished(call, call.target, value, value)


def _policy(call: Call) -> Json:
    key = re.sub(r"(?::|/)(?:[gs]etIamPolicy)$|/iam$", "", call.key)
    if call.method.verb == "getIamPolicy":
        return call.objects.settings.setdefault(key, {"version": 1, "etag": "BwX=", "bindings": []})
    policy = without_nulls(call.body.get("policy", call.body))
    call.objects.settings[key] = {**policy, "etag": "BwX="}
    return call.objects.settings[key]


def completed(call: Call, key: str, value: Json) -> Json:
    """The object with all that only the API sets or fills in, without what it does not give back."""
    schema = call.method.request
    fields = call.method.properties(schema)
    if call.method.service == "compute":
        _locate(key, value)
    elif "name" in fields and call.method.service not in ("container", "storage"):
        value["name"] = path_of(key)
    if fields.get("id", {}).get("format") == "uint64":
        value.setdefault("id", call.objects.next_number())
    _mark_ready(fields, value)
    return settled(call.objects, f"{call.method.service}.{schema}", key, value)


def settled(objects: Objects, schema: str, key: str, value: Json) -> Json:
    """The object with the defaults of its schema, and without what is dropped."""
    finish = FINISHERS.get(schema)
    if finish:
        finish(objects, key, value)
    fill(value, _defaults()["filled"].get(schema, {}).get("value", {}))
    for dropped in _defaults()["dropped"]:
        if dropped["schema"] == schema:
            _drop(value, dropped)
    return value


def _drop(value: Json, dropped: Json) -> None:
    """Take out a value that the API does not give back, or only in the cases that `if` names."""
    *parents, last = dropped["at"].split(".")
    for parent in parents:
        value = value.get(parent) or {}
    if last in value and value[last] in dropped.get("values", [value[last]]):
        del value[last]


def _locate(key: str, value: Json) -> None:
    value["name"] = key.rpartition("/")[2]
    value["selfLink"] = COMPUTE + path_of(key)
    place = re.search(r"(projects/[^/]+/(zone|region)s/[^/]+)/", key)
    if place:
        value[place[2]] = COMPUTE + place[1]


def _mark_ready(fields: Mapping[str, Json], value: Json) -> None:
    for name in ("status", "state", "lifecycleState"):
        words = fields.get(name, {}).get("enum", ())
        if word := next((one for one in _READY if one in words), None):
            value.setdefault(name, word)
    for name in _TIMES:
        if name in fields:
            value.setdefault(name, NOW)
    for name in _PRINTS:
        if name in fields:
            rest = {key: each for key, each in value.items() if key not in _PRINTS}
            digest = hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).digest()
            value[name] = base64.b64encode(digest[:8]).decode()


@functools.cache
def _defaults() -> Json:
    found: Json = json.loads((resources.files(__package__) / "defaults.json").read_text("utf-8"))
    return found


# ---- operations


def finished(call: Call, key: str, value: Json, response: Any) -> Json:
    """The answer of a method: its operation, or the object after the change."""
    if call.method.response in ("Operation", "GoogleLongrunningOperation"):
        return operation(call, key, response, value.get("id"))
    return response if call.method.response not in ("Empty", "") else {}


def operation(call: Call, key: str, response: Any = None, target: Any = None) -> Json:
    """An operation that is done, as the service of the method words it."""
    number = call.objects.next_number()
    service, path = call.method.service, path_of(key)
    place = re.search(r"projects/[^/]+/(?:(zone|region|location)s/[^/]+|global)", path)
    scope = place[0] if place else ""
    if service in ("compute", "container"):
        name = f"operation-{number}"
        scope = scope or f"projects/{call.project}/global"
        base = COMPUTE if service == "compute" else "https://container.googleapis.com/v1/"
        made: Json = {
            "name": name,
            "status": "DONE",
            "selfLink": f"{base}{scope}/operations/{name}",
            "targetLink": base + path,
            "startTime": NOW,
            "endTime": NOW,
        }
        if service == "compute":
            made |= {"id": number, "targetId": str(target or number), "progress": 100, "insertTime": NOW}
            made |= {"operationType": call.method.verb}
        if place and place[1]:
            made["zone" if service == "container" else place[1]] = (
                scope.rpartition("/")[2] if service == "container" else COMPUTE + scope
            )
        call.objects.operations[f"{service}/{scope}/operations/{name}"] = made
        return made
    name = f"{scope}/operations/{number}".lstrip("/")
    made = {"name": name, "done": True, "response": {"@type": "type.googleapis.com/x", **(response or {})}}
    call.objects.operations[f"{service}/{name}"] = made
    return made


@answers(r".*[oO]perations\.(get|wait)")
def _operation(call: Call) -> Json:
    key = call.key.removesuffix("/wait")
    if key not in call.objects.operations:
        raise Refusal(404, f"The operation '{path_of(key)}' was not found", "notFound")
    found = call.objects.operations[key]
    if left := call.objects.polls.get(found["name"], 0):
        call.objects.polls[found["name"]] = left - 1
        return unfinished(found)
    return found


def unfinished(operation: Json) -> Json:
    """An operation as it is before it is done."""
    ended = ("endTime", "error", "httpErrorStatusCode", "response", "statusMessage")
    kept = {name: value for name, value in operation.items() if name not in ended}
    if "status" in kept:
        return {**kept, "status": "RUNNING", **({"progress": 0} if "progress" in kept else {})}
    return {**kept, "done": False}
