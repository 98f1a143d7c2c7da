"""A cluster file of `ray up` on Google Cloud: kind ray, with a pool for each type of worker."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.source import Row, from_yaml, map_in
from clusterprint.importing.work import Translated, Work

_LONGEST = 20
_TYPES = "available_node_types"
_OF_DISKS = ("boot", "autoDelete", "type")


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
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
    why = "nodes are pods on GKE: no SSH, no rsync; the autoscaler of Ray asks for pods, and GKE for nodes"
    fields.follows(
        why, ("upscaling_speed",), ("auth",), ("rsync_exclude",), ("rsync_filter",), ("max_workers",)
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
        fields.follows("Ray reads resources off the machines", (*place, "resources"))
        if name == head:
            _head(fields, name, machine)
            continue
        most = fields.source.take((*place, "max_workers"))
        most = most if isinstance(most, int) else fields.source.look(("max_workers",))
        least = fields.source.take((*place, "min_workers")) or 0
        fields.source.take((*place, "node_config", "machineType"))
        pool: dict[str, Any] = {"name": _name(name), "machine_type": str(machine.get("machineType", ""))}
        pool["autoscaling"] = {"min": least, "max": most}
        fields.work.append(at, ("node_pools",), pool | _hardware(fields, name))
        worker = {"name": _name(name), "pool": _name(name), "min": least, "max": most}
        worker |= {"idle_timeout": f"{minutes}m"} if minutes else {}
        fields.work.append(at, ("ray", "workers"), worker)


def _head(fields: Fields, name: str, machine: dict[str, Any]) -> None:
    place = (_TYPES, name)
    why = (
        f"the head was a {machine.get('machineType')}; it is a pod in the system pool, and ray.head sizes it"
    )
    config = (*place, "node_config")
    fields.follows(why, *((*place, key) for key in ("min_workers", "max_workers")))
    fields.follows(why, (*config, "machineType"), (*config, "disks"))


def _hardware(fields: Fields, name: str) -> dict[str, Any]:
    source, place = fields.source, (_TYPES, name, "node_config")
    config = Row(source, place)
    found: dict[str, Any] = {}
    for scheduling in (config.row("scheduling"), *config.rows("scheduling")):
        if scheduling.get("preemptible") is True or scheduling.get("provisioningModel") == "SPOT":
            found["capacity"] = {"model": "spot"}
        fields.follows(
            "machines with GPUs stop for repairs of their host", (*scheduling.place, "onHostMaintenance")
        )
    for disk in config.rows("disks")[:1]:
        made = disk.row("initializeParams")
        if size := made.get("diskSizeGb"):
            found["boot_disk"] = {"size_gb": size}
        why = "images of nodes are GKE's; what runs in pods is the image of Ray"
        fields.follows(why, (*made.place, "sourceImage"), *((*disk.place, key) for key in _OF_DISKS))
    for gpu in config.rows("guestAccelerators")[:1]:
        kind, count = gpu.get("acceleratorType"), gpu.get("acceleratorCount", 1)
        if str(config.get("machineType", "")).startswith("n1-"):
            found["guest_accelerator"] = {"type": str(kind).rsplit("/", 1)[-1], "count": count}
        else:
            fields.follows("GPUs come with their machines", gpu.place)
    return found


def _name(text: str) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return (name if name[:1].isalpha() else f"n-{name}")[:_LONGEST].rstrip("-")
