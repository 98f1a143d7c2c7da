"""A cluster file of `ray up` on Google Cloud: kind ray, with a pool for each type of worker."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.source import from_yaml, map_in, maps_in
from clusterprint.importing.work import Translated, Work

_LONGEST = 20
_TYPES = "available_node_types"


def translate(texts: Sequence[Text], given: Mapping[str, str]) -> Translated:
    """The blueprint of a Ray cluster on GKE that grows as this one does."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: a cluster file is imported alone")
    source, findings = from_yaml(texts[0].file, texts[0].text)
    work = Work("ray")
    work.findings += findings
    fields = Fields(work, source, given)
    fields.put("cluster_name", ("name",), str, _name)
    provider = ("provider",)
    kind = source.take((*provider, "type"))
    if kind != "gcp":
        work.say(
            source.at((*provider, "type")), "error", f"clusters of {kind} are not imported; those of gcp are"
        )
    for theirs, ours in (("project_id", "project"), ("region", "region"), ("availability_zone", "zone")):
        value = source.take((*provider, theirs))
        if value is None:
            work.say(source.at(provider), "error", f"provider.{theirs} is missing", "add it")
        else:
            work.put(source.at((*provider, theirs)), (ours,), value)
    fields.state("project")
    _workers(fields)
    for each in ("upscaling_speed", "auth", "rsync_exclude", "rsync_filter", "max_workers"):
        fields.source.take((each,))
    work.decide(
        "nodes are pods on GKE: no SSH, no rsync; the autoscaler of Ray asks for pods, and GKE for nodes"
    )
    fields.left()
    return work.done()


def _workers(fields: Fields) -> None:
    head = fields.get("head_node_type", default="")
    minutes = fields.get("idle_timeout_minutes", int)
    types = map_in(fields.source.look((_TYPES,)))
    for name, raw in types.items():
        place = (_TYPES, name)
        found = map_in(raw)
        machine = map_in(found.get("node_config"))
        at = fields.source.at(place)
        fields.source.take((*place, "resources"))  # Ray reads them off the machine
        if name == head:
            _head(fields, name, machine)
            continue
        most = fields.source.take((*place, "max_workers"))
        most = most if isinstance(most, int) else fields.source.look(("max_workers",))
        least = fields.source.take((*place, "min_workers")) or 0
        fields.source.take((*place, "node_config", "machineType"))
        pool: dict[str, Any] = {"name": _name(name), "machine_type": str(machine.get("machineType", ""))}
        pool["autoscaling"] = {"min": least, "max": most}
        fields.work.append(at, ("node_pools",), pool | _hardware(fields, name, machine))
        worker = {"name": _name(name), "pool": _name(name), "min": least, "max": most}
        worker |= {"idle_timeout": f"{minutes}m"} if minutes else {}
        fields.work.append(at, ("ray", "workers"), worker)


def _head(fields: Fields, name: str, machine: dict[str, Any]) -> None:
    place = (_TYPES, name)
    for key in ("min_workers", "max_workers"):
        fields.source.take((*place, key))
    fields.source.take((*place, "node_config", "machineType"))
    fields.source.take((*place, "node_config", "disks"))
    said = machine.get("machineType")
    fields.work.decide(f"the head was a {said}; it is a pod in the system pool, and ray.head sizes it")


def _hardware(fields: Fields, name: str, machine: dict[str, Any]) -> dict[str, Any]:
    place = (_TYPES, name, "node_config")
    found: dict[str, Any] = {}
    for scheduling in (machine.get("scheduling"), *maps_in(machine.get("scheduling"))):
        if map_in(scheduling).get("preemptible") or map_in(scheduling).get("provisioningModel") == "SPOT":
            found["capacity"] = {"model": "spot"}
            fields.source.take((*place, "scheduling"))
    disk = map_in(next(iter(maps_in(machine.get("disks"))), {}).get("initializeParams"))
    if isinstance(disk.get("diskSizeGb"), int):
        found["boot_disk"] = {"size_gb": disk["diskSizeGb"]}
    if "disks" in machine:
        fields.source.take((*place, "disks"))
        fields.work.decide("images of nodes are GKE's; what runs in pods is the image of Ray")
    gpu = next(iter(maps_in(machine.get("guestAccelerators"))), {})
    if gpu and str(machine.get("machineType", "")).startswith("n1-"):
        kind = str(gpu.get("acceleratorType", "")).rsplit("/", 1)[-1]
        found["guest_accelerator"] = {"type": kind, "count": gpu.get("acceleratorCount", 1)}
    fields.source.take((*place, "guestAccelerators"))
    return found


def _name(text: str) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return (name if name[:1].isalpha() else f"n-{name}")[:_LONGEST].rstrip("-")
