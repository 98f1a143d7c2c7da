"""The Kubernetes API: what is read, watched and written, and nothing more."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from clusterprint_provisioner import records as records_
from clusterprint_provisioner.actions import CONDITION, Say, Tell
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.objects import Job, JobSet, Node, Pod
from clusterprint_provisioner.records import Record
from clusterprint_provisioner.sets import LeaderWorkerSet, RayCluster

T = TypeVar("T")
_PAGE = "500"
_JSON = "application/json"
_MERGE = "application/merge-patch+json"
_APPLY = "application/apply-patch+yaml"
_METADATA = "application/json;as=PartialObjectMetadata{};g=meta.k8s.io;v=v1,application/json"
#: Who changes things, in the words of server-side apply and of events.
MANAGER = "slice-provisioner"
RECORDS = "slice-provisioner-records"
MISSING, CONFLICT, GONE, TOO_LONG = 404, 409, 410, 1024
_WRONG = 400
_KINDS = {
    "jobset": ("jobset.x-k8s.io/v1alpha2", "JobSet"),
    "job": ("batch/v1", "Job"),
    "leaderworkerset": ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"),
    "raycluster": ("ray.io/v1", "RayCluster"),
}


class ApiError(Exception):
    """The API server said no, or nothing. A status of 0: it was not reached."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}" if status else message)
        self.status = status


class Transport(Protocol):
    """How requests reach the API server. Both raise ApiError where it is not reached."""

    def request(
        self, method: str, path: str, query: Mapping[str, str], body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """The status and the body of an answer."""

    def lines(self, path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Iterator[bytes]:
        """The lines of an answer, as they come. Raises ApiError for any status but success."""


class Resource(Struct, Generic[T], frozen=True):
    """A kind of object, everywhere in the cluster."""

    path: str
    type: type[T]
    query: dict[str, str] = {}
    metadata_only: bool = False


PODS = Resource("/api/v1/pods", Pod)
JOBS = Resource("/apis/batch/v1/jobs", Job)
JOBSETS = Resource("/apis/jobset.x-k8s.io/v1alpha2/jobsets", JobSet)
LEADER_WORKER_SETS = Resource("/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets", LeaderWorkerSet)
RAY_CLUSTERS = Resource("/apis/ray.io/v1/rayclusters", RayCluster)
#: Of nodes only the metadata is asked for: the rest is long, and changes all the time.
NODES = Resource(
    "/api/v1/nodes", Node, {"labelSelector": "cloud.google.com/gke-nodepool"}, metadata_only=True
)


class _ListMeta(Struct, rename="camel"):
    resource_version: str = ""
    continue_: str = msgspec.field(default="", name="continue")


class _Page(Struct):
    metadata: _ListMeta
    # Go writes a list of nothing as null.
    items: list[msgspec.Raw] | None = None


class _Event(Struct):
    type: str
    object: msgspec.Raw


class _Failed(Struct):
    code: int = 0
    message: str = ""


class _Bookmark(Struct):
    metadata: _ListMeta


class _ConfigMap(Struct):
    data: dict[str, str] = {}


class Change(Struct, Generic[T], frozen=True):
    """An event of a watch: an object that was changed or deleted, or a bookmark."""

    version: str
    object: T | None = None
    gone: bool = False


class Kubernetes:
    """The API server, asked as the account of the controller, which lives in `namespace`."""

    def __init__(self, transport: Transport, namespace: str) -> None:
        self._transport = transport
        self.namespace = namespace

    def list(self, resource: Resource[T]) -> tuple[list[T], str]:
        """All objects of a kind, page by page, and the version from which to watch."""
        items: list[T] = []
        query = {"limit": _PAGE, **resource.query}
        while True:
            content = self.ask("GET", resource.path, query, headers=_accept(resource, "List"))
            page = _decoded(content, _Page)
            items += (_decoded(bytes(each), resource.type) for each in page.items or ())
            if not page.metadata.continue_:
                return items, page.metadata.resource_version
            query = {**query, "continue": page.metadata.continue_}

    def watch(self, resource: Resource[T], version: str, seconds: int) -> Iterator[Change[T]]:
        """The changes after a version, for so many seconds. Raises ApiError; GONE: list again."""
        query = {
            "watch": "true",
            "allowWatchBookmarks": "true",
            "resourceVersion": version,
            "timeoutSeconds": str(seconds),
            **resource.query,
        }
        for line in self._transport.lines(resource.path, query, _accept(resource, "")):
            event = _decoded(line, _Event)
            if event.type == "ERROR":
                failed = _decoded(bytes(event.object), _Failed)
                raise ApiError(failed.code, failed.message)
            at = _decoded(bytes(event.object), _Bookmark).metadata.resource_version
            if event.type == "BOOKMARK":
                yield Change(at)
            else:
                yield Change(at, _decoded(bytes(event.object), resource.type), event.type == "DELETED")

    def tell(self, told: Tell, uid: str, now: datetime) -> None:
        """Write an event. Its name says what it is, so it is there once however often it is told."""
        api, kind = _KINDS[told.identity.kind]
        namespace, owner = told.identity.namespace, told.identity.owner
        when = _time(now)
        event = {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": f"{owner[:180]}.{uid}", "namespace": namespace},
            "involvedObject": {**_named(told.identity), "apiVersion": api, "kind": kind},
            "reason": told.reason,
            "message": told.message[:TOO_LONG],
            "type": "Warning" if told.warning else "Normal",
            "source": {"component": MANAGER},
            "firstTimestamp": when,
            "lastTimestamp": when,
            "count": 1,
        }
        try:
            self.ask("POST", f"/api/v1/namespaces/{namespace}/events", body=event)
        except ApiError as error:
            # Told before; or there is nobody left whom it concerns.
            if error.status not in (CONFLICT, MISSING):
                raise

    def say(self, said: Say, since: str) -> None:
        """Set the condition of a JobSet, and leave those of others alone."""
        condition = {
            "type": CONDITION,
            "status": said.status,
            "reason": said.reason,
            "message": said.message,
            "lastTransitionTime": since,
        }
        body = {
            "apiVersion": _KINDS["jobset"][0],
            "kind": "JobSet",
            # With another uid it is another JobSet, and the server says no.
            "metadata": {"name": said.jobset, "namespace": said.namespace, "uid": said.uid},
            "status": {"conditions": [condition]},
        }
        path = f"/apis/{_KINDS['jobset'][0]}/namespaces/{said.namespace}/jobsets/{quote(said.jobset)}/status"
        try:
            self.ask(
                "PATCH", path, {"fieldManager": MANAGER, "force": "true"}, body, {"Content-Type": _APPLY}
            )
        except ApiError as error:
            if error.status not in (MISSING, CONFLICT):
                raise

    def records(self) -> dict[str, Record]:
        """Earlier failures, by pool; the ConfigMap for them is created if it is missing."""
        try:
            content = self.ask("GET", self._records)
        except ApiError as error:
            if error.status != MISSING:
                raise
            try:
                named = {"name": RECORDS, "namespace": self.namespace}
                map_ = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": named}
                self.ask("POST", f"/api/v1/namespaces/{self.namespace}/configmaps", body=map_)
            except ApiError as raced:
                if raced.status != CONFLICT:
                    raise
            return {}
        found = {name: records_.read(text) for name, text in _decoded(content, _ConfigMap).data.items()}
        return {name: record for name, record in found.items() if record is not None}

    def remember(self, pool: str, record: Record | None) -> None:
        """Keep what went wrong with one pool, or forget it."""
        data = {pool: None if record is None else records_.written(record)}
        self.ask("PATCH", self._records, {}, {"data": data}, {"Content-Type": _MERGE})

    def ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """One request. Raises ApiError."""
        content = None if body is None else json.dumps(body).encode()
        status, answer = self._transport.request(
            method, path, query or {}, content, {"Content-Type": _JSON, "Accept": _JSON, **(headers or {})}
        )
        if status >= _WRONG:
            raise ApiError(status, message_of(answer))
        return answer

    @property
    def _records(self) -> str:
        return f"/api/v1/namespaces/{self.namespace}/configmaps/{RECORDS}"


def message_of(answer: bytes) -> str:
    """The message of a refusal."""
    try:
        return msgspec.json.decode(answer, type=_Failed).message
    except msgspec.DecodeError:
        return answer[:200].decode("utf-8", "replace")


def _decoded(content: bytes, type_: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=type_)
    except msgspec.DecodeError as error:
        raise ApiError(0, f"unexpected response from the API server: {error}") from error


def _accept(resource: Resource[Any], suffix: str) -> dict[str, str]:
    return {"Accept": _METADATA.format(suffix)} if resource.metadata_only else {}


def _named(identity: Identity) -> dict[str, str]:
    return {"name": identity.owner, "namespace": identity.namespace, "uid": identity.uid}


def _time(now: datetime) -> str:
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
