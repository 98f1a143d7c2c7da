"""Google's discovery documents: which method a request calls, and the schemas of what it sends and gets."""

from __future__ import annotations

import functools
import json
import re
import urllib.parse
from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = dict[str, Any]

# `secretmanager.us-central1.rep.googleapis.com` and `us-central1-x.googleapis.com`: doors of one region.
_REGIONAL = re.compile(r"\.[a-z0-9-]+\.rep(?=\.googleapis\.com$)|^[a-z]+-[a-z]+\d+-")
_PLACEHOLDER = re.compile(r"\{\+?(\w+)\}")


class Method(NamedTuple):
    """One method of a service."""

    id: str  # compute.networks.insert
    document: Json
    description: Json
    pattern: re.Pattern[str]
    upload: re.Pattern[str] | None

    @property
    def service(self) -> str:
        """The name of its service, as in `<service>.googleapis.com`."""
        return str(self.document["service"])

    @property
    def verb(self) -> str:
        """The last part of its name."""
        return self.id.rpartition(".")[2]

    @property
    def request(self) -> str:
        """The schema of its body, empty if it takes none."""
        return str(self.description.get("request", ""))

    @property
    def response(self) -> str:
        """The schema of its answer, empty if it has none."""
        return str(self.description.get("response", ""))

    @property
    def parameters(self) -> Mapping[str, Json]:
        """The parameters of its path and query, with those of all methods."""
        return {**self.document["parameters"], **self.description.get("parameters", {})}

    def properties(self, schema: str) -> Mapping[str, Json]:
        """The fields of a schema of its service."""
        found: Mapping[str, Json] = self.document["schemas"].get(schema, {}).get("properties", {})
        return found

    @property
    def creates(self) -> bool:
        """Whether it makes a new object in a collection, which its path names."""
        return self.verb in ("insert", "create")


class Found(NamedTuple):
    """The method of a request and what its path says."""

    method: Method
    path: Mapping[str, str]
    key: str  # of the object or collection: its service and path, without host and version


def find(host: str, verb: str, path: str) -> Found | None:
    """The method that a request calls, None if no method that our stacks use has such a URL."""
    host, path = _REGIONAL.sub("", host), path.rstrip("/")
    for method in _methods().get((host, verb), ()):
        match = method.pattern.fullmatch(path) or (method.upload and method.upload.fullmatch(path))
        if match:
            named = {name: urllib.parse.unquote(value) for name, value in match.groupdict().items()}
            return Found(method, named, key_of(method.service, path))
    return None


def key_of(service: str, path: str) -> str:
    """Where an object is kept, by the path of a URL or a link."""
    path = urllib.parse.unquote(urllib.parse.urlsplit(path).path if "://" in path else path)
    return f"{service}/" + re.sub(r"^/?(?:upload/)?(?:\w+/)??v\d+/", "", path)


@functools.cache
def documents() -> tuple[Json, ...]:
    """All tables of `descriptions/`."""
    folder = resources.files(__package__) / "descriptions"
    files = sorted(folder.iterdir(), key=lambda one: one.name)
    return tuple(json.loads(one.read_text("utf-8")) for one in files if one.name.endswith(".json"))


@functools.cache
def _methods() -> Mapping[tuple[str, str], list[Method]]:
    """All methods by host and verb, the most special path first."""
    found: dict[tuple[str, str], list[Method]] = {}
    for document in documents():
        for name, description in document["methods"].items():
            upload = description.get("upload")
            method = Method(
                name,
                document,
                description,
                _pattern(document["base"] + description["path"]),
                _pattern(upload) if upload else None,
            )
            found.setdefault((document["host"], description["verb"]), []).append(method)
    for methods in found.values():
        methods.sort(key=lambda one: -len(_PLACEHOLDER.sub("", one.description["path"])))
    return found


def _pattern(path: str) -> re.Pattern[str]:
    """A path with placeholders as a pattern; what fills one has no slash, and ends before a custom verb."""
    parts = _PLACEHOLDER.split(path)
    text = "".join(
        f"(?P<{part}>[^/:]+|[^/]+?)" if odd % 2 else re.escape(part) for odd, part in enumerate(parts)
    )
    return re.compile(text)
