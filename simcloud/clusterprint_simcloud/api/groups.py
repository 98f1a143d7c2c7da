"""Compute Engine's managed groups, whose instances are named one by one."""

from __future__ import annotations

import re

from clusterprint_simcloud.api.answering import COMPUTE, Call, answers, filtered, finishes, operation
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Objects, path_of

_GROUP = r"compute\.instanceGroupManagers\."
_ACTIONS = (
    "none",
    "creating",
    "creatingWithoutRetries",
    "recreating",
    "deleting",
    "abandoning",
    "restarting",
    "refreshing",
    "verifying",
    "stopping",
    "suspending",
    "starting",
    "resuming",
)
# Instances are kept apart from the group, which says how many there are, not which.
_INSTANCES = "instances"


@finishes("compute.InstanceGroupManager")
def complete(objects: Objects, _key: str, value: Json) -> None:
    """All that a group says of itself; templates by their names, whatever was sent."""
    value["instanceGroup"] = value["selfLink"].replace("/instanceGroupManagers/", "/instanceGroups/")
    value.setdefault("baseInstanceName", value["name"])
    value["currentActions"] = dict.fromkeys(_ACTIONS, 0)
    if "versions" not in value and "instanceTemplate" in value:
        value["versions"] = [{"instanceTemplate": value["instanceTemplate"]}]
    for version in value.get("versions", []):
        version["instanceTemplate"] = _by_name(objects, version["instanceTemplate"])
    if value.get("versions"):
        value["instanceTemplate"] = value["versions"][0]["instanceTemplate"]


def _by_name(objects: Objects, template: str) -> str:
    """The link of a template by its name; provider 7 names templates by their numbers."""
    path = re.sub(r"^https://[^/]+/compute/v1/|\?.*$", "", template)
    return COMPUTE + path_of(objects.resolved(f"compute/{path}"))


@answers(_GROUP + "(createInstances|updatePerInstanceConfigs)")
def _name_instances(call: Call) -> Json:
    group, kept = _instances(call)
    for one in [*call.body.get("instances", []), *call.body.get("perInstanceConfigs", [])]:
        kept.setdefault(one["name"], {}).update({**one, "status": "EFFECTIVE"})
    group["targetSize"] = len(kept)
    return operation(call, call.target)


@answers(_GROUP + "deletePerInstanceConfigs")
def _forget_configs(call: Call) -> Json:
    _, kept = _instances(call)
    for name in call.body["names"]:
        kept[name]["_without_config"] = True
    return operation(call, call.target)


@answers(_GROUP + "deleteInstances")
def _delete_instances(call: Call) -> Json:
    group, kept = _instances(call)
    for one in call.body["instances"]:
        kept.pop(one.rpartition("/")[2], None)
    group["targetSize"] = len(kept)
    return operation(call, call.target)


@answers(_GROUP + "applyUpdatesToInstances")
def _apply(call: Call) -> Json:
    _instances(call)
    return operation(call, call.target)


@answers(_GROUP + "(resize|setInstanceTemplate)")
def _set(call: Call) -> Json:
    group, _ = _instances(call)
    if "size" in call.query:
        group["targetSize"] = int(call.query["size"])
    else:
        group["versions"] = [{"instanceTemplate": call.body["instanceTemplate"]}]
        complete(call.objects, call.target, group)
    return operation(call, call.target)


@answers(_GROUP + "listPerInstanceConfigs")
def _configs(call: Call) -> Json:
    _, kept = _instances(call)
    return {"items": filtered(call, [one for one in kept.values() if not one.get("_without_config")])}


@answers(_GROUP + "listManagedInstances")
def _managed(call: Call) -> Json:
    group, kept = _instances(call)
    base = group["selfLink"].partition("/instanceGroupManagers/")[0]
    names = list(kept) or [
        f"{group['baseInstanceName']}-{number}" for number in range(group.get("targetSize", 0))
    ]
    found = [
        {
            "instance": f"{base}/instances/{name}",
            "name": name,
            "instanceStatus": "RUNNING",
            "currentAction": "NONE",
        }
        for name in names
    ]
    return {"managedInstances": filtered(call, found)}


def _instances(call: Call) -> tuple[Json, Json]:
    """A group and its instances by name. Raises Refusal."""
    group = call.objects.get(call.target)
    return group, call.objects.objects.setdefault(f"{call.target}/{_INSTANCES}", {})
