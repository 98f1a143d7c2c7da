"""Compute Engine: networks, disks, templates, and what every project can look up."""

from __future__ import annotations

import ipaddress
import re

from clusterprint_simcloud.api.answering import COMPUTE, Call, answers, completed, finishes, operation
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Objects, not_found, path_of

# What is there in every project, or for all of them; the fields that the provider reads.
_THERE: tuple[tuple[str, Json], ...] = (
    (r"compute/projects/[^/]+", {"commonInstanceMetadata": {"fingerprint": "AAAA"}, "id": "1"}),
    (r"compute/projects/[^/]+/zones/(?P<region>[^/]+)-[a-z]", {"status": "UP", "id": "1"}),
    (r"compute/projects/[^/]+/regions/[^/]+", {"status": "UP", "id": "1"}),
    (
        r"compute/projects/[^/]+/global/images/(?:family/)?[^/]+",
        {"status": "READY", "diskSizeGb": "50", "id": "9"},
    ),
)


@answers(r"compute\.(projects|zones|regions|images)\.(get|getFromFamily)")
def _there(call: Call) -> Json:
    """A project, place or image: whatever the name, it exists."""
    if call.key in call.objects.objects:
        return call.objects.objects[call.key]
    pattern, fields = next(one for one in _THERE if re.fullmatch(one[0], call.key))
    found = re.fullmatch(pattern, call.key)
    path, name = path_of(call.key), call.key.rpartition("/")[2]
    value: Json = {**fields, "name": name, "selfLink": COMPUTE + path}
    if found and "region" in found.groupdict():
        value["region"] = f"{COMPUTE}projects/{call.project}/regions/{found['region']}"
    if "/regions/" in path:
        value["zones"] = [f"{COMPUTE}projects/{call.project}/zones/{name}-{letter}" for letter in "abc"]
    if "/images/family/" in path:
        value |= {"family": name, "name": f"{name}-v20260101"}
        value["selfLink"] = COMPUTE + path.replace("/family/", "/") + "-v20260101"
    return value


@finishes("compute.Network")
def _network(_objects: Objects, _key: str, value: Json) -> None:
    value["selfLinkWithId"] = re.sub(r"[^/]+$", value["id"], value["selfLink"])


@finishes("compute.Subnetwork")
def _subnetwork(_objects: Objects, _key: str, value: Json) -> None:
    if value.get("ipCidrRange"):
        value["gatewayAddress"] = str(ipaddress.ip_network(value["ipCidrRange"], strict=False)[1])
    _link(value, "network")


@finishes("compute.Firewall")
def _firewall(_objects: Objects, _key: str, value: Json) -> None:
    _link(value, "network")
    sources = ("sourceRanges", "sourceTags", "sourceServiceAccounts")
    if value.get("direction", "INGRESS") == "INGRESS" and not any(value.get(one) for one in sources):
        value["sourceRanges"] = ["0.0.0.0/0"]


@finishes("compute.Router")
def _router(_objects: Objects, _key: str, value: Json) -> None:
    _link(value, "network")


@finishes("compute.Address")
def _address(objects: Objects, key: str, value: Json) -> None:
    """One that Google chooses: the next range of 16 bits of those that it gives to services."""
    if value.get("network"):
        _link(value, "network")
    number = len(list(objects.inside(key.rpartition("/")[0])))
    value.setdefault("address", f"10.{200 + number}.0.0")


@finishes("compute.Disk")
def _disk(_objects: Objects, _key: str, value: Json) -> None:
    for name in ("type", "storagePool", "sourceSnapshot"):
        if value.get(name):
            _link(value, name)


@answers(r"compute\.subnetworks\.(expandIpCidrRange|setPrivateIpGoogleAccess)")
def _change_subnetwork(call: Call) -> Json:
    value = call.objects.get(call.target)
    value.update(call.body)
    return operation(call, call.target)


@answers(r"compute\.\w+\.setLabels")
def _label(call: Call) -> Json:
    value = call.objects.get(call.target)
    value["labels"] = call.body.get("labels", {})
    completed(call, call.target, value)
    return operation(call, call.target)


@answers(r"compute\.disks\.resize")
def _resize(call: Call) -> Json:
    call.objects.get(call.target)["sizeGb"] = call.body["sizeGb"]
    return operation(call, call.target)


@answers(r"compute\.networks\.removePeering")
def _remove_peering(call: Call) -> Json:
    """Deletes the connection that Service Networking has made by such a peering."""
    if call.target not in call.objects.objects:
        raise not_found(call.target)
    end = call.target.rpartition("/")[2]
    for key, value in list(call.objects.objects.items()):
        if key.startswith("servicenetworking/") and value.get("network", "").endswith(f"/{end}"):
            del call.objects.objects[key]
    return operation(call, call.target)


def _link(value: Json, name: str) -> None:
    """A link as Compute Engine gives it back: whole, whatever was sent."""
    if value.get(name) and not value[name].startswith("https:"):
        value[name] = COMPUTE + value[name]
