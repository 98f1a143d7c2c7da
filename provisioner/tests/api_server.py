"""A stand-in for a Kubernetes API server: versions, pages, watches, patches, status, and rights.

It is as strict as an API server in what is used: a write with an old version is a conflict, a watch from
before what was kept is gone, `status` is written by its own path, an apply leaves conditions of others alone.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Condition
from typing import Any, NamedTuple

from patches import Object, apply, change, merge

_PATH = re.compile(
    r"/(?:api/(?P<core>v1)|apis/(?P<group>[^/]+)/(?P<version>[^/]+))"
    r"(?:/namespaces/(?P<namespace>[^/]+))?/(?P<resource>[a-z]+)(?:/(?P<name>[^/]+))?(?:/(?P<sub>status))?"
)
_VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete", "WATCH": "watch"}
_GROUPS = "|batch|coordination.k8s.io|authentication.k8s.io|authorization.k8s.io|jobset.x-k8s.io|ray.io"
_GROUPS += "|leaderworkerset.x-k8s.io|admissionregistration.k8s.io"
_WITH_STATUS = ("jobsets", "jobs", "pods", "nodes")
_REVIEWS = ("tokenreviews", "subjectaccessreviews")


class Right(NamedTuple):
    """A rule of a role; an empty namespace is the whole cluster, no names are all of them."""

    group: str
    resources: list[str]
    verbs: list[str]
    namespace: str = ""
    names: Sequence[str] = ()


class _Refused(Exception):  # noqa: N818 - an answer
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class _Asked(NamedTuple):
    group: str
    resource: str
    namespace: str
    name: str
    sub: str

    @property
    def kind(self) -> str:
        return f"{self.group}/{self.resource}"


class ApiServer:
    """Objects, and what has happened to them. `rights` are those of whoever asks; None: everything."""

    def __init__(self, rights: list[Right] | None = None) -> None:
        self.rights = rights
        self.calls: list[tuple[str, str]] = []
        self.denied: list[str] = []
        self.absent: set[str] = set()
        self.full: set[str] = set()
        self.tokens: dict[str, tuple[str, bool]] = {}
        self.waits = False
        self._objects: dict[str, dict[tuple[str, str], Object]] = {}
        self._log: list[tuple[int, str, str, Object]] = []
        self._version = 100
        self._compacted = 0
        self._changed = Condition()

    # For those who play users and Kubernetes' own controllers.

    def put(self, kind: str, object_: Object) -> Object:
        """Create or replace an object, as if by whoever may."""
        meta = object_["metadata"]
        key = meta.get("namespace", ""), meta["name"]
        with self._changed:
            known = self._objects.setdefault(kind, {})
            meta.setdefault("uid", f"uid-{kind.rpartition('/')[2]}-{key[0]}-{key[1]}-{self._version}")
            self._write(kind, key, object_, "MODIFIED" if key in known else "ADDED")
        return object_

    def get(self, kind: str, namespace: str, name: str) -> Object | None:
        """An object, if it is there."""
        found = self._objects.get(kind, {}).get((namespace, name))
        return copy.deepcopy(found) if found else None

    def all(self, kind: str) -> list[Object]:
        """All objects of a kind."""
        return [copy.deepcopy(each) for _, each in sorted(self._objects.get(kind, {}).items())]

    def remove(self, kind: str, namespace: str, name: str) -> None:
        """Delete an object at once."""
        with self._changed:
            gone = self._objects.get(kind, {}).pop((namespace, name), None)
            if gone is not None:
                self._note(kind, "DELETED", gone)

    def change(self, kind: str, namespace: str, name: str, how: Callable[[Object], None]) -> None:
        """Change an object in place."""
        object_ = self.get(kind, namespace, name)
        assert object_ is not None
        how(object_)
        self.put(kind, object_)

    def compact(self) -> None:
        """Forget what happened: watches from before are gone."""
        self._compacted = self._version
        self._log.clear()

    # The API.

    def request(
        self, method: str, path: str, query: Mapping[str, str], body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """One request."""
        self.calls.append((method, path))
        try:
            asked = self._asked(method, path)
            with self._changed:
                answer = self._answer(method, asked, query, json.loads(body) if body else None, headers)
        except _Refused as refused:
            status = {"kind": "Status", "code": refused.status, "message": refused.message}
            return refused.status, json.dumps(status).encode()
        return 201 if method == "POST" else 200, json.dumps(answer).encode()

    def lines(self, path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Iterator[bytes]:
        """The lines of a watch. It ends when nothing is left to tell, unless it is to wait."""
        from clusterprint_provisioner.kube import ApiError

        self.calls.append(("WATCH", path))
        try:
            asked = self._asked("WATCH", path)
        except _Refused as refused:
            raise ApiError(refused.status, refused.message) from None
        at = int(query["resourceVersion"])
        if at < self._compacted:
            yield _line("ERROR", {"kind": "Status", "code": 410, "message": "too old resource version"})
            return
        while True:
            with self._changed:
                news = [each for each in self._log if each[0] > at and each[1] == asked.kind]
                if not news and self.waits:
                    self._changed.wait(0.05)
            for version, _, type_, object_ in news:
                at = version
                if _selected(object_, query):
                    yield _line(type_, _shown(object_, headers))
            if not self.waits:
                break
        yield _line("BOOKMARK", {"metadata": {"resourceVersion": str(max(at, self._version))}})

    def _asked(self, method: str, path: str) -> _Asked:
        found = _PATH.fullmatch(path)
        if found is None:
            raise _Refused(404, f"there is nothing at {path}")
        group = found["group"] or ""
        asked = _Asked(
            group, found["resource"], found["namespace"] or "", found["name"] or "", found["sub"] or ""
        )
        if group not in _GROUPS.split("|") or asked.kind in self.absent:
            raise _Refused(404, "the server could not find the requested resource")
        verb = {
            "POST": "create",
            "PUT": "update",
            "PATCH": "patch",
            "DELETE": "delete",
            "WATCH": "watch",
        }.get(method)
        verb = verb or ("get" if asked.name else "list")
        resource = f"{asked.resource}/{asked.sub}" if asked.sub else asked.resource
        if self.rights is not None and not any(
            each.group == group
            and resource in each.resources
            and verb in each.verbs
            and each.namespace in ("", asked.namespace)
            and (not each.names or asked.name in each.names)
            for each in self.rights
        ):
            self.denied.append(f"{verb} {group}/{resource} in {asked.namespace or 'the cluster'}")
            raise _Refused(403, f"cannot {verb} {resource}")
        return asked

    def _answer(
        self, method: str, asked: _Asked, query: Mapping[str, str], body: Any, headers: Mapping[str, str]
    ) -> Object:
        if asked.resource in _REVIEWS:
            return self._review(asked.resource, body["spec"])
        if method != "GET" and asked.kind in self.full:
            raise _Refused(422, "Too long: must have at most 1048576 bytes")
        if method == "GET" and not asked.name:
            return self._list(asked, query, headers)
        if method == "POST":
            return self._create(asked, body)
        there = self._objects.get(asked.kind, {}).get((asked.namespace, asked.name))
        if there is None:
            raise _Refused(404, f"{asked.resource} {asked.name!r} not found")
        if method == "GET":
            return there
        if method in ("PUT", "DELETE"):
            return (self._replace if method == "PUT" else self._delete)(asked, there, body)
        return self._patch(asked, there, query, body, headers["Content-Type"])

    def _list(self, asked: _Asked, query: Mapping[str, str], headers: Mapping[str, str]) -> Object:
        everything = sorted(self._objects.get(asked.kind, {}).items())
        found = [
            _shown(each, headers)
            for (namespace, _), each in everything
            if asked.namespace in ("", namespace) and _selected(each, query)
        ]
        start, limit = int(query.get("continue", "0")), int(query.get("limit", "0")) or len(found)
        rest = start + limit < len(found)
        meta = {"resourceVersion": str(self._version), **({"continue": str(start + limit)} if rest else {})}
        return {"metadata": meta, "items": found[start : start + limit] or None}

    def _create(self, asked: _Asked, body: Object) -> Object:
        name = body["metadata"]["name"]
        if asked.namespace:
            body["metadata"]["namespace"] = asked.namespace
        known = self._objects.setdefault(asked.kind, {})
        if (asked.namespace, name) in known:
            raise _Refused(409, f"{asked.resource} {name!r} already exists")
        body["metadata"].setdefault("uid", f"uid-{name}-{self._version}")
        return self._write(asked.kind, (asked.namespace, name), body, "ADDED")

    def _delete(self, asked: _Asked, there: Object, _: Object) -> Object:
        self._note(asked.kind, "DELETED", self._objects[asked.kind].pop((asked.namespace, asked.name)))
        return there

    def _replace(self, asked: _Asked, there: Object, body: Object) -> Object:
        given = body["metadata"].get("resourceVersion")
        if given is not None and given != there["metadata"]["resourceVersion"]:
            raise _Refused(409, "the object has been modified")
        return self._write(asked.kind, (asked.namespace, asked.name), body, "MODIFIED")

    def _patch(self, asked: _Asked, there: Object, query: Mapping[str, str], body: Any, form: str) -> Object:
        new = copy.deepcopy(there)
        if form == "application/merge-patch+json":
            merge(new, body)
        elif form == "application/apply-patch+yaml":
            if not query.get("fieldManager"):
                raise _Refused(400, "fieldManager is required for apply patch")
            uid = body["metadata"].get("uid")
            if uid is not None and uid != there["metadata"]["uid"]:
                raise _Refused(409, "the uid in the precondition is not that of the object")
            apply(new, body)
        elif form == "application/json-patch+json":
            if not change(new, body):
                raise _Refused(422, "the test of the patch does not hold")
        else:
            raise _Refused(415, f"{form} is not supported")
        if asked.resource in _WITH_STATUS:
            # Each path writes its own part.
            kept = "spec" if asked.sub == "status" else "status"
            for part in (kept, *(("metadata",) if asked.sub == "status" else ())):
                new.pop(part, None)
                if part in there:
                    new[part] = copy.deepcopy(there[part])
        return self._write(asked.kind, (asked.namespace, asked.name), new, "MODIFIED")

    def _review(self, resource: str, spec: Object) -> Object:
        if resource == "tokenreviews":
            known = self.tokens.get(spec["token"])
            return {
                "status": {
                    "authenticated": known is not None,
                    "user": {"username": known[0]} if known else {},
                }
            }
        allowed = any(user == spec["user"] and may for user, may in self.tokens.values())
        return {"status": {"allowed": allowed}}

    def _write(self, kind: str, key: tuple[str, str], object_: Object, type_: str) -> Object:
        object_ = copy.deepcopy(object_)
        self._objects.setdefault(kind, {})[key] = object_
        self._note(kind, type_, object_)
        return object_

    def _note(self, kind: str, type_: str, object_: Object) -> None:
        self._version += 1
        object_["metadata"]["resourceVersion"] = str(self._version)
        self._log.append((self._version, kind, type_, copy.deepcopy(object_)))
        self._changed.notify_all()


def _line(type_: str, object_: Object) -> bytes:
    return json.dumps({"type": type_, "object": object_}).encode()


def _shown(object_: Object, headers: Mapping[str, str]) -> Object:
    if "PartialObjectMetadata" in headers.get("Accept", ""):
        return {"kind": "PartialObjectMetadata", "metadata": object_["metadata"]}
    return object_


def _selected(object_: Object, query: Mapping[str, str]) -> bool:
    label = query.get("labelSelector")
    return label is None or label in object_["metadata"].get("labels", {})
