"""How Google resources name each other: full links, partial links, plain names, e-mail addresses."""

from __future__ import annotations

import re

from clusterprint_simcloud.cloud.behaviour import Reference, Request
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.values import Path

COMPUTE = "https://www.googleapis.com/compute/v1/"
_HOST = re.compile(
    r"^(?:https?:)?//(?:www\.googleapis\.com|compute\.googleapis\.com)(?:/compute)?(?:/(?:v1|beta))?/"
)

# What newer APIs have in place of a region or a zone.
_LOCATION = re.compile(r"(?P<region>[a-z]+-[a-z]+\d+)(?:-[a-z0-9]+)?")


def plain(value: str) -> str:
    """A link without host, version and the `?uniqueId=` of instance templates."""
    return _HOST.sub("", value).partition("?")[0]


def name_of(value: str) -> str:
    """The last part of a link or a path."""
    return plain(value).rpartition("/")[2]


def same(one: str, other: str) -> bool:
    """Whether the provider takes both for the same (compareSelfLinkOrResourceName)."""
    first, second = plain(one), plain(other)
    if "/" in first and "/" in second:
        return first == second or first.endswith(f"/{second}") or second.endswith(f"/{first}")
    return name_of(first) == name_of(second)


def region_of(request: Request) -> str:
    """The region of a resource, from its zone if it is zonal; empty for a global one."""
    region = name_of(request.text("region")) or name_of(request.text("zone")).rpartition("-")[0]
    place = _LOCATION.fullmatch(request.text("location"))
    return region or (place["region"] if place else "")


def find(request: Request, value: str, *kinds: str) -> Record | None:
    """The record that a link or a name means, seen from the resource of the request."""
    path = plain(value)
    project = request.text("project")
    if "/" in path:
        paths = {path, f"projects/{project}/{path}"}
        return next((one for one in request.contents.of(*kinds) if one.id in paths), None)
    return next((one for one in request.contents.of(*kinds) if _is_neighbour(request, one, path)), None)


def _is_neighbour(request: Request, record: Record, name: str) -> bool:
    state = record.state
    if state.get("name") != name or state.get("project") != request.text("project"):
        return False
    if state.get("zone"):
        return name_of(str(state["zone"])) == name_of(request.text("zone"))
    return not state.get("region") or name_of(str(state["region"])) == region_of(request)


def link(path: str, *kinds: str, holds: bool = True) -> Reference:
    """An argument that takes a link or a name."""
    noun = kinds[0].removeprefix("google_compute_").removeprefix("google_").replace("_", " ")

    def missing(_request: Request, steps: Path, value: str) -> str:
        field = f"Invalid value for field 'resource.{field_name(steps)}': '{value}'"
        return f"googleapi: Error 400: {field}. The referenced {noun} resource cannot be found., invalid"

    return Reference(path, lambda request, value: find(request, value, *kinds), missing, same, holds)


def name(path: str, kind: str, collection: str, *, holds: bool = True) -> Reference:
    """An argument that the provider puts into a URL as it is: a link there makes a URL that leads nowhere."""

    def found(request: Request, value: str) -> Record | None:
        return find(request, value, kind) if "/" not in value else None

    def missing(request: Request, _steps: Path, value: str) -> str:
        scope = f"zones/{request.text('zone')}" if request.text("zone") else f"regions/{region_of(request)}"
        url = f"projects/{request.text('project')}/{scope}/{collection}/{value}"
        return f"googleapi: Error 404: The resource '{url}' was not found, notFound"

    return Reference(path, found, missing, same, holds)


def field_name(steps: Path) -> str:
    """A path as the API writes it: (`network_interface`, 0, `nic_type`) as `networkInterface[0].nicType`."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + re.sub(r"_(\w)", lambda match: match[1].upper(), step)
    return text
