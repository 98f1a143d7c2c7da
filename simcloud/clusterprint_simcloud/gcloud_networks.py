"""`gcloud compute ... list` and `... delete`, about what lies in networks, and disks, as JSON of the API."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record
from clusterprint_simcloud.cloud.groups import INSTANCE, started
from clusterprint_simcloud.google.instance import TEMPLATE
from clusterprint_simcloud.google.links import COMPUTE
from clusterprint_simcloud.work.clock import told

# The words after `gcloud compute`, and the Terraform type; None for what this cloud has none of.
_TYPES: dict[tuple[str, ...], str | None] = {
    ("instances",): "google_compute_instance",
    ("instance-templates",): TEMPLATE,
    ("firewall-rules",): "google_compute_firewall",
    ("disks",): "google_compute_disk",
    ("routers",): "google_compute_router",
    ("networks",): "google_compute_network",
    ("networks", "subnets"): "google_compute_subnetwork",
    ("forwarding-rules",): None,
    ("network-endpoint-groups",): None,
    ("routes",): None,
}
_VERBS = ("list", "delete")


def knows(words: Sequence[str]) -> bool:
    """Whether these words are such a command."""
    return words[:1] == ["compute"] and _parts(words) is not None


def _parts(words: Sequence[str]) -> tuple[tuple[str, ...], str, Sequence[str]] | None:
    for length in (2, 1):
        kind, rest = tuple(words[1 : 1 + length]), words[1 + length :]
        if kind in _TYPES and rest and rest[0] in _VERBS:
            return kind, rest[0], rest[1:]
    return None


def answer(words: Sequence[str], options: Mapping[str, str]) -> int:
    """Answer one command; returns its exit code."""
    parts = _parts(words)
    assert parts is not None  # noqa: S101  (asked for by `knows`)
    kind, verb, names = parts
    cloud = Cloud(Path(os.environ[CLOUD_VARIABLE]))
    project = options.get("--project", "")
    if verb == "list":
        contents = cloud.read()
        found = list(_listed(contents, _TYPES[kind], project))
        if kind == ("disks",):
            found += _boot_disks(contents, project)
        json.dump([one for one in found if _is_wanted(one, options)], sys.stdout)
        return 0
    with cloud.open() as contents:
        records = [one for one in _records(contents, _TYPES[kind], project) if one.state["name"] in names]
        if not records:
            return _refuse(f"The resource '{names[0] if names else ''}' was not found")
        for record in records:
            for user in contents.users_of(record):
                return _refuse(f"The resource '{record.id}' is already being used by '{user.id}'")
            contents.remove(record)
    return 0


def _is_wanted(one: Mapping[str, Any], options: Mapping[str, str]) -> bool:
    """Whether the options let it through: names, patterns of names, zones."""
    zones = options.get("--zones", "")
    if zones and str(one.get("zone", "")).rpartition("/")[2] not in zones.split(","):
        return False
    wanted = options.get("--filter", "")
    if wanted.startswith("labels."):
        key, _, value = wanted.removeprefix("labels.").partition("=")
        return bool(one.get("labels", {}).get(key) == value)
    if wanted.startswith("name~"):
        return re.search(wanted.removeprefix("name~").strip('"'), one["name"]) is not None
    return wanted.removeprefix("name=") in {"", one["name"]}


def _records(contents: Contents, kind: str | None, project: str) -> Iterator[Record]:
    for one in contents.of(kind) if kind else ():
        if one.state.get("project") == project:
            yield one


def _listed(contents: Contents, kind: str | None, project: str) -> Iterator[dict[str, Any]]:
    for one in _records(contents, kind, project):
        places = {
            name: COMPUTE + f"projects/{project}/{name}s/{one.state[name]}"
            for name in ("zone", "region")
            if one.state.get(name)
        }
        network = one.state.get("network")
        interfaces = [
            {"network": _link(contents, each.get("network"))}
            for each in one.state.get("network_interface") or ()
        ]
        yield {
            "name": one.state["name"],
            **places,
            **({"network": _link(contents, network)} if network else {}),
            **{name: one.state[name] for name in ("labels", "description") if one.state.get(name)},
            **(_interfaces(one, interfaces) if interfaces else {}),
            **(_running(contents, one) if one.type == INSTANCE else {}),
        }


def _boot_disks(contents: Contents, project: str) -> Iterator[dict[str, Any]]:
    """The boot disks of groups' machines, named like these; a family had a new image each month."""
    for one in _records(contents, INSTANCE, project):
        disk: Mapping[str, Any] = next(iter(one.state.get("disk") or ()), {})
        image = str(disk.get("source_image") or "")
        if family := re.fullmatch("(.*/images/)family/(.*)", image):
            made = started(contents).get(one.id) or told(0)
            image = f"{family[1]}{family[2]}-v{made[:4]}{made[5:7]}01"
        yield {
            "name": one.state["name"],
            "zone": COMPUTE + f"projects/{project}/zones/{one.state['zone']}",
            **({"sourceImage": COMPUTE + image.removeprefix(COMPUTE)} if image else {}),
        }


def _interfaces(one: Record, interfaces: list[dict[str, Any]]) -> dict[str, Any]:
    """Of a template, they are among the properties of its machines."""
    found = {"networkInterfaces": interfaces}
    return {"properties": found} if one.type == TEMPLATE else found


def _running(contents: Contents, instance: Record) -> dict[str, str]:
    """Every machine here runs, since it was made."""
    since = started(contents).get(instance.id, "")
    return {"status": "RUNNING", **({"lastStartTimestamp": since} if since else {})}


def _link(contents: Contents, network: Any) -> str:
    """The full link of a network, however it was named."""
    text = str(network)
    known = (one for one in contents.of("google_compute_network") if text in {one.id, one.state["name"]})
    found = next(known, None)
    return str(found.state["self_link"]) if found else text


def _refuse(text: str) -> int:
    print(f"ERROR: (gcloud.compute) {text}", file=sys.stderr)  # noqa: T201  (a command)
    return 1
