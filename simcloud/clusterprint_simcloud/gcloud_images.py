"""`gcloud compute`, as far as building an image goes: a machine by hand, and an image of its disk."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record
from clusterprint_simcloud.cloud.groups import INSTANCE
from clusterprint_simcloud.google.image import IMAGE
from clusterprint_simcloud.google.network import SUBNETWORK

Options = Mapping[str, str]

# What must be said of a machine, and what may be: gcloud refuses all others.
_MUST = {"--zone", "--machine-type", "--network-interface", "--image-project", "--boot-disk-size"}
_MAY = {
    *("--boot-disk-type", "--image", "--image-family", "--metadata", "--metadata-from-file", "--labels"),
    *("--max-run-duration", "--instance-termination-action", "--no-service-account", "--no-scopes"),
    *("--service-account", "--scopes", "--shielded-secure-boot", "--shielded-vtpm"),
    *("--shielded-integrity-monitoring", "--no-shielded-secure-boot", "--no-shielded-vtpm"),
    *("--no-shielded-integrity-monitoring", "--no-restart-on-failure", "--maintenance-policy"),
}
_EVERYWHERE = {"--project", "--quiet", "--format"}


class Refused(Exception):  # noqa: N818  (an answer)
    """A refusal of gcloud."""


def knows(words: Sequence[str], options: Options) -> bool:
    """Whether these words are such a command; of lists, those that are printed by one value."""
    if words[:1] != ["compute"] or tuple(words[1:3]) not in _COMMANDS:
        return False
    if words[2] == "list":
        return "--filter" in options and options.get("--format") in {"value(status)", "value(name)"}
    return len(words) == len(["compute", "sort", "verb", "name"])


def answer(words: Sequence[str], options: Options) -> int:
    """Answer one command; returns its exit code."""
    with Cloud(Path(os.environ[CLOUD_VARIABLE])).open() as contents:
        try:
            for line in _COMMANDS[words[1], words[2]](contents, words[3:], options):
                print(line)  # noqa: T201  (a command)
        except Refused as error:
            print(f"ERROR: (gcloud.compute) {error}", file=sys.stderr)  # noqa: T201  (a command)
            return 1
    return 0


def _place(options: Options) -> str:
    return f"projects/{options.get('--project')}/zones/{options.get('--zone')}/instances"


def _machines(contents: Contents, _names: Sequence[str], options: Options) -> Iterable[str]:
    wanted = options["--filter"].removeprefix("name=")
    project, zone = options.get("--project"), options.get("--zones")
    found = contents.get(INSTANCE, f"projects/{project}/zones/{zone}/instances/{wanted}")
    return [] if found is None else [str(found.state.get("current_status", "RUNNING"))]


def _make_machine(contents: Contents, names: Sequence[str], options: Options) -> Iterable[str]:
    strange = options.keys() - _MUST - _MAY - _EVERYWHERE
    lacking = _MUST - options.keys()
    if strange or lacking:
        raise Refused(f"unrecognized: {sorted(strange)}, required: {sorted(lacking)}")
    if ("--image" in options) == ("--image-family" in options):
        raise Refused("exactly one of --image and --image-family must be specified")
    identity = f"{_place(options)}/{names[0]}"
    if contents.get(INSTANCE, identity) is not None:
        raise Refused(f"The resource '{identity}' already exists")
    files = [each.partition("=")[2] for each in options.get("--metadata-from-file", "").split(",") if each]
    for each in files:
        if not Path(each).is_file():
            raise Refused(f"Unable to read file [{each}]: No such file or directory")
    interface = dict(each.partition("=")[::2] for each in options["--network-interface"].split(","))
    subnetwork = contents.get(SUBNETWORK, interface["subnet"])
    if subnetwork is None:
        raise Refused(f"The resource '{interface['subnet']}' was not found")
    state: dict[str, Any] = {
        "name": names[0],
        "project": options["--project"],
        "zone": options["--zone"],
        "machine_type": options["--machine-type"],
        "labels": _labels(options),
        "network_interface": [{"network": subnetwork.state["network"], "subnetwork": subnetwork.id}],
        "current_status": "RUNNING",
        "boot_disk_gb": _number(options["--boot-disk-size"]),
    }
    contents.add(Record(INSTANCE, identity, state, [subnetwork.key]))
    return []


def _machine(contents: Contents, name: str, place: str) -> Record:
    found = contents.get(INSTANCE, f"{place}/{name}")
    if found is None:
        raise Refused(f"The resource '{place}/{name}' was not found")
    return found


def _stop(contents: Contents, names: Sequence[str], options: Options) -> Iterable[str]:
    _machine(contents, names[0], _place(options)).state["current_status"] = "TERMINATED"
    return []


def _images(contents: Contents, _names: Sequence[str], options: Options) -> Iterable[str]:
    wanted = dict(each.partition("=")[::2] for each in options["--filter"].split(" AND "))
    for one in contents.of(IMAGE):
        labels = {f"labels.{key}": value for key, value in one.state["labels"].items()}
        facts = {**labels, "name": one.state["name"], "family": one.state["family"]}
        hidden = one.state["deprecated"] and "--show-deprecated" not in options
        if one.state["project"] == options["--project"] and not hidden and wanted.items() <= facts.items():
            yield str(one.state["name"])


def _make_image(contents: Contents, names: Sequence[str], options: Options) -> Iterable[str]:
    identity = f"projects/{options['--project']}/global/images/{names[0]}"
    if contents.get(IMAGE, identity) is not None:
        raise Refused(f"The resource '{identity}' already exists")
    place = f"projects/{options['--project']}/zones/{options['--source-disk-zone']}/instances"
    machine = _machine(contents, options["--source-disk"], place)
    if machine.state["current_status"] != "TERMINATED":
        raise Refused(f"The disk resource '{machine.id}' is already being used")
    state: dict[str, Any] = {
        "id": identity,
        "name": names[0],
        "project": options["--project"],
        "family": options.get("--family", ""),
        "labels": _labels(options),
        "disk_size_gb": machine.state["boot_disk_gb"],
        "source_disk": options["--source-disk"],
        "storage_locations": [each for each in (options.get("--storage-location"),) if each],
        "deprecated": "",
    }
    contents.add(Record(IMAGE, identity, state))
    return []


def _deprecate(contents: Contents, names: Sequence[str], options: Options) -> Iterable[str]:
    found = contents.get(IMAGE, f"projects/{options['--project']}/global/images/{names[0]}")
    if found is None:
        raise Refused(f"The resource '{names[0]}' was not found")
    active = options["--state"] == "ACTIVE"
    found.state["deprecated"] = "" if active else options["--replacement"]
    return []


def _labels(options: Options) -> dict[str, str]:
    return dict(each.partition("=")[::2] for each in options.get("--labels", "").split(",") if each)


def _number(size: str) -> int:
    return int(re.sub("GB$", "", size))


_COMMANDS: dict[tuple[str, str], Callable[[Contents, Sequence[str], Options], Iterable[str]]] = {
    ("instances", "list"): _machines,
    ("instances", "create"): _make_machine,
    ("instances", "stop"): _stop,
    ("images", "list"): _images,
    ("images", "create"): _make_image,
    ("images", "deprecate"): _deprecate,
}
