"""A SkyPilot task: its machines as a blueprint of kind vm, what it runs as the start-up script."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint import catalog
from clusterprint.errors import UsageError
from clusterprint.importing.accelerators import gpu_machine
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.source import from_yaml, map_in
from clusterprint.importing.work import Line, Translated, Work
from clusterprint.importing.write import quoted

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BUCKET = re.compile(r"gs://([^/]+)/?")


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint of the machines that the task would run on."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: a task is imported alone")
    source, findings = from_yaml(texts[0].file, texts[0].text)
    work = Work("vm")
    work.findings += findings
    fields = Fields(work, source, given)
    fields.required("project", ("project",))
    fields.put("name", ("name",), str, lambda name: re.sub(r"[^a-z0-9]+", "-", name.lower())[:20].strip("-"))
    if "name" not in source.data:
        work.put(Line(0, source.file), ("name",), "task")
        work.decide("the task has no name; the cluster is called task")
    _place(fields)
    fields.state("project")
    _nodes(fields)
    _mounts(fields)
    script = "\n".join(str(each) for each in (fields.get("setup"), fields.get("run")) if each)
    if script:
        at = fields.at("run" if source.look(("run",)) else "setup")
        exports = _exports(fields)
        work.put(at, ("startup_script", "inline"), f"#!/bin/bash\n{exports}{script}\n")
        work.decide("setup and run are the start-up script: it runs as root, at every boot, on every node")
        work.say(
            at, "loss", "run is a job of SkyPilot's queue: SKYPILOT_ variables and logs of jobs are not there"
        )
    fields.left()
    return work.done()


def _resource(fields: Fields, name: str) -> Any:
    return fields.source.take(("resources", name))


def _place(fields: Fields) -> None:
    cloud = _resource(fields, "cloud") or _resource(fields, "infra")
    parts = str(cloud or "gcp").lower().split("/")
    if parts[0] not in ("gcp", "gke"):
        message = f"{cloud} is a cloud that tasks are not imported from; only gcp is"
        fields.work.say(fields.source.at(("resources",)), "error", message)
    region, zone = _resource(fields, "region"), _resource(fields, "zone")
    zone = zone or fields.get("zone") or (parts[2] if len(parts) > 2 else None)  # noqa: PLR2004 - gcp/region/zone
    region = region or fields.get("region") or (parts[1] if len(parts) > 1 else None)
    zone = zone or _zone(fields, str(region or ""))
    if not zone:
        help_text = "give it with --var zone=...; SkyPilot looks for one, and a blueprint names one"
        fields.work.say(fields.source.at(("resources",)), "error", "the task names no zone", help_text)
        return
    fields.work.put(fields.source.at(("resources", "zone")), ("zone",), str(zone))
    fields.work.put(
        fields.source.at(("resources", "region")), ("region",), str(region or catalog.region_of(str(zone)))
    )


def _zone(fields: Fields, region: str) -> str:
    """The first zone of the region that has the machines; SkyPilot would try one after the other."""
    machine = catalog.machine(_machine(fields)) if region else None
    found = sorted(
        each for each in (machine.zones or () if machine else ()) if catalog.region_of(each) == region
    )
    if not found:
        return ""
    fields.work.decide(f"the zone is the first one of {region} that has the machines, of {', '.join(found)}")
    return found[0]


def _machine(fields: Fields) -> str:
    """The machine type that is named, or meant by the accelerators; empty where none is known."""
    asked = _resource(fields, "accelerators")
    if isinstance(asked, dict) and len(asked) == 1:
        asked = "{}:{}".format(*next(iter(asked.items())))
    if named := _resource(fields, "instance_type"):
        return str(named)
    name, _, count = asked.partition(":") if isinstance(asked, str) else ("", "", "-")
    return gpu_machine(name, int(count or 1)) if re.fullmatch(r"[0-9]{0,3}", count) else ""


def _nodes(fields: Fields) -> None:
    work = fields.work
    at = fields.source.at(("resources", "accelerators"))
    machine = _machine(fields)
    if not machine:
        asked = fields.source.look(("resources", "accelerators"))
        help_text = "name instance_type, which is the machine type; `clusterprint choose` finds one"
        work.say(at, "error", f"resources name no machine that is known: {asked!r}", help_text)
    work.put(at, ("nodes", "machine_type"), machine)
    work.put(fields.at("num_nodes"), ("nodes", "count"), fields.get("num_nodes", int, 1))
    if _resource(fields, "use_spot"):
        work.put(fields.source.at(("resources", "use_spot")), ("nodes", "capacity"), {"model": "spot"})
    size = _resource(fields, "disk_size")
    if size:
        work.put(fields.source.at(("resources", "disk_size")), ("nodes", "boot_disk", "size_gb"), size)
    labels = _resource(fields, "labels")
    if labels:
        work.put(fields.source.at(("resources", "labels")), ("labels",), labels)


def _mounts(fields: Fields) -> None:
    """Buckets that are mounted; what is copied is lost."""
    mounts = map_in(fields.source.look(("file_mounts",)))
    for number, (path, what) in enumerate(mounts.items()):
        place = ("file_mounts", path)
        found = map_in(what)
        source = found.get("source")
        match = _BUCKET.fullmatch(source) if isinstance(source, str) else None
        if match and found.get("mode", "MOUNT") in ("MOUNT", "MOUNT_CACHED"):
            for key in ("source", "mode"):
                fields.source.take((*place, key))
            volume = {
                "name": f"bucket-{number}",
                "kind": "bucket",
                "mount": path,
                "create": False,
                "bucket": match[1],
            }
            fields.work.append(fields.source.at(place), ("storage", "volumes"), volume)


def _exports(fields: Fields) -> str:
    """Variables as lines of a shell; a name that is none is an error, since a shell would run it."""
    lines = []
    for name, value in fields.get("envs", dict, {}).items():
        if not _VARIABLE.fullmatch(str(name)):
            at = fields.source.at(("envs", name))
            fields.work.say(at, "error", f"{quoted(name)} is not the name of a variable")
            continue
        lines.append(f"export {name}={shlex.quote(str(value))}\n")
    return "".join(lines)
