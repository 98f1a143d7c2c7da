"""One world of Google's APIs: each request is found, judged and answered."""

from __future__ import annotations

import copy
import json
import threading
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint_simcloud.api import compute, filesystems, gke, groups, projects, storage  # noqa: F401
from clusterprint_simcloud.api.answering import Call, answer, unfinished
from clusterprint_simcloud.api.assumed import assume
from clusterprint_simcloud.api.descriptions import Found, Json, find
from clusterprint_simcloud.api.judging import judge
from clusterprint_simcloud.api.objects import Objects, Refusal
from clusterprint_simcloud.api.refusing import ApiFault, Limits, fail

# The modules of services register what answers their methods when they are imported.


class Recorded(NamedTuple):
    """A request and what was answered."""

    method: str  # of the description, empty if no method has such a URL
    verb: str
    url: str
    body: Any
    status: int
    answer: Json


class Apis:
    """Google's APIs, asked without a network.

    `requests` is what was asked, oldest first; `limits` says what is refused although it is right.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` keeps the objects over runs; without one they end with the process."""
        self.objects = Objects(folder / "objects.json" if folder else None)
        self.limits = Limits()
        self.requests: list[Recorded] = []
        self._assumed: set[str] = set()
        self._lock = threading.Lock()

    def assume(self, stack: Mapping[str, Any]) -> None:
        """Create what a stack, the content of its `cdk.tf.json`, refers to as existing."""
        with self._lock:
            assume(self.objects, stack)
            self._assumed |= self.objects.objects.keys()

    @property
    def left(self) -> list[str]:
        """Created objects that exist, by path; without the custom roles that Google keeps for a while."""
        objects = self.objects.objects
        return [key for key in objects if key not in self._assumed and not objects[key].get("deleted")]

    def answer(self, verb: str, url: str, body: bytes = b"", content_type: str = "") -> tuple[int, Json]:
        """The status and the document that one request is answered with."""
        parts = urllib.parse.urlsplit(url)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        found: Found | None = None
        sent: Json = {}
        try:
            found = _found(verb, url)
            if not parts.path.startswith("/upload/"):
                sent = _judged(found, query, body)
            with self._lock:
                call = Call(self.objects, found.method, found.key, query, sent, body, content_type)
                self.limits.check(call)
                # Others may change the objects.
                status, document = 200, copy.deepcopy(self._done(call, self.limits.due(call, url)))
                self.objects.save()
        except Refusal as refusal:
            status, document = refusal.status, refusal.document
        self.requests.append(Recorded(found.method.id if found else "", verb, url, sent, status, document))
        return status, document

    def _done(self, call: Call, fault: ApiFault | None) -> Json:
        """The answer to a request, by the rule that acts on it. Raises Refusal."""
        if fault is None:
            return answer(call)
        if fault.message and not fault.in_operation:
            raise Refusal(fault.status, fault.message, fault.reason)
        before = copy.deepcopy((self.objects.objects, self.objects.settings))
        operation = answer(call)
        if fault.message:
            fail(operation, call.method.service, fault)
            if not fault.kept:
                self.objects.objects, self.objects.settings = before
        self.objects.polls[operation["name"]] = fault.polls
        return unfinished(operation) if fault.polls else operation


def _found(verb: str, url: str) -> Found:
    parts = urllib.parse.urlsplit(url)
    found = find(parts.hostname or "", verb, parts.path)
    if found is None:
        raise Refusal(404, f"No method has this URL: {verb} {url}", "notFound")
    return found


def _judged(found: Found, query: Mapping[str, str], body: bytes) -> Json:
    """The body of a request that is right."""
    sent = _json(body)
    if faults := judge(found, query, sent):
        raise Refusal(400, "; ".join(f"{one.at}: {one.message}" for one in faults), "badRequest")
    return sent or {}


def _json(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError as error:
        raise Refusal(400, f"Invalid JSON payload received. {error}", "parseError") from error
