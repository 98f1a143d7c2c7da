"""The state behind the APIs: objects by the path of their URL, operations, policies and enabled services."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.google.attributes import number

#: How the APIs name a status, by the HTTP status code.
_STATUS = {400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 409: "ALREADY_EXISTS"}


class Refusal(Exception):  # noqa: N818 - it is the API that refuses
    """A request that is not done, as the APIs say it."""

    def __init__(self, status: int, message: str, reason: str) -> None:
        super().__init__(message)
        self.status, self.message, self.reason = status, message, reason

    @property
    def document(self) -> Json:
        """The body of the answer."""
        detail = {"message": self.message, "reason": self.reason, "domain": "global"}
        error = {"code": self.status, "message": self.message, "errors": [detail]}
        return {"error": {**error, "status": _STATUS.get(self.status, "UNKNOWN")}}


class Objects:
    """All objects of one world. Callers keep threads apart."""

    def __init__(self, file: Path | None = None) -> None:
        """`file` keeps them over runs; without one they end with the process."""
        self._file = file
        known = json.loads(file.read_text("utf-8")) if file and file.exists() else {}
        self.objects: dict[str, Json] = known.get("objects", {})
        self.settings: dict[str, Json] = known.get("settings", {})
        self.operations: dict[str, Json] = known.get("operations", {})
        #: How often an operation is asked for before it says that it is done, by its name.
        self.polls: dict[str, int] = {}
        self._count: int = known.get("count", 0)

    def save(self) -> None:
        """Write everything to the file, if there is one."""
        if self._file:
            kept = {"objects": self.objects, "settings": self.settings, "operations": self.operations}
            self._file.write_text(json.dumps({**kept, "count": self._count}), "utf-8")

    def next_number(self) -> str:
        """A number of 16 digits that nothing else has."""
        self._count += 1
        return str(number(str(self._count), 16))

    def get(self, key: str) -> Json:
        """The object at a path. Raises Refusal."""
        key = self.resolved(key)
        if key not in self.objects:
            raise not_found(key)
        return self.objects[key]

    def add(self, key: str, value: Json) -> Json:
        """Keep a new object. Raises Refusal if there is one at the path."""
        if key in self.objects:
            raise Refusal(409, f"The resource '{path_of(key)}' already exists", "alreadyExists")
        self.objects[key] = value
        return value

    def remove(self, key: str) -> Json:
        """Forget an object with all that is in it. Raises Refusal if something else names it."""
        key = self.resolved(key)
        self.get(key)
        self._check_unused(key)
        for inner in [one for one in self.objects if one.startswith(f"{key}/")]:
            del self.objects[inner]
        for policy in [one for one in self.settings if one == key or one.startswith(f"{key}/")]:
            del self.settings[policy]
        if "/networks/" in key:
            self._forget_peerings(key.rpartition("/")[2])
        return self.objects.pop(key)

    def _forget_peerings(self, network: str) -> None:
        """A connection of Service Networking ends with its network, remembered ones too."""
        for known in (self.objects, self.settings):
            for key in [one for one in known if one.startswith("servicenetworking/")]:
                if key.rpartition("/")[2] == network:
                    del known[key]

    def inside(self, collection: str) -> Iterator[tuple[str, Json]]:
        """The objects of a collection, not those within them."""
        for key, value in self.objects.items():
            if key.rpartition("/")[0] == collection:
                yield key, value

    def resolved(self, key: str) -> str:
        """Compute Engine takes the number of an object in place of its name."""
        collection, _, last = key.rpartition("/")
        if key in self.objects or not re.fullmatch(r"\d{10,}", last):
            return key
        return next((one for one, value in self.inside(collection) if str(value.get("id")) == last), key)

    def _check_unused(self, key: str) -> None:
        """Compute Engine keeps what something else links to, and GKE its networks."""
        if not key.startswith("compute/"):
            return
        end = f"/{path_of(key)}"
        for user, value in self.objects.items():
            if user != key and not user.startswith(f"{key}/") and any(_links(value, end)):
                kind = key.split("/")[-2].removesuffix("s")
                text = f"The {kind} resource '{path_of(key)}' is already being used by '{path_of(user)}'"
                raise Refusal(400, text, "resourceInUseByAnotherResource")


def _links(value: Any, end: str) -> Iterator[bool]:
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in ("selfLink", "selfLinkWithId", "subnetworks", "instanceGroup"):
                yield from _links(each, end)
    elif isinstance(value, list):
        for each in value:
            yield from _links(each, end)
    elif isinstance(value, str) and f"/{value}".endswith(end):
        yield True


def path_of(key: str) -> str:
    """The path of an object, without its service."""
    return key.partition("/")[2]


def not_found(key: str) -> Refusal:
    """The refusal for an object that does not exist."""
    return Refusal(404, f"The resource '{path_of(key)}' was not found", "notFound")


def without_nulls(value: Any) -> Any:
    """A copy as an API gives it back: nothing that is null."""
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


def fill(value: Json, defaults: Json) -> None:
    """Put in what is missing, at any depth."""
    for name, each in defaults.items():
        if name not in value:
            value[name] = copy.deepcopy(each)
        elif isinstance(each, dict) and isinstance(value[name], dict):
            fill(value[name], each)


def merge(value: Json, change: Json) -> None:
    """A PATCH without a mask: what is null is taken out, objects are merged."""
    for name, each in change.items():
        if each is None:
            value.pop(name, None)
        elif isinstance(each, dict) and isinstance(value.get(name), dict):
            merge(value[name], each)
        else:
            value[name] = without_nulls(each)


def merge_masked(value: Json, change: Json, mask: str) -> None:
    """A PATCH with a mask: exactly the fields that it names; those that the change lacks are taken out."""
    for path in mask.split(","):
        *parents, last = (re.sub(r"_(\w)", lambda found: found[1].upper(), part) for part in path.split("."))
        to, source = value, change
        for parent in parents:
            to, source = to.setdefault(parent, {}), source.get(parent) or {}
        if source.get(last) is None:
            to.pop(last, None)
        else:
            to[last] = without_nulls(source[last])
