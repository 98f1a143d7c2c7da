"""`xpk workload create` as a JobSet of the blueprint."""

from typing import Any

from clusterprint.importing.fields import Fields
from clusterprint.importing.write import quoted
from clusterprint.importing.xpk.pool import device_option, machine_of, whole

# Of the classes that XPK makes (src/xpk/core/kueue.py), by the value that Kueue orders them by.
_PRIORITIES = {"very-low": 100, "low": 250, "medium": 500, "high": 750, "very-high": 1000}
_DEFAULT_SCHEDULER = "default-scheduler"


def jobset(fields: Fields, cluster: str, machine: dict[str, str]) -> None:
    """Append the JobSet; `machine` is what the pool of the cluster is made of."""
    work = fields.work
    at = fields.at("workload")
    job: dict[str, Any] = {"name": _required(fields, "workload")}
    _same_cluster(fields, cluster)
    option = device_option(fields)
    device = fields.get(option, default="")
    if device and machine_of(device) != machine:
        help_text = "add a pool of it to the blueprint, and name it in the job"
        work.say(fields.at(option), "error", f"the cluster has no pool of --{option} {device}", help_text)
    job["image"] = _image(fields)
    command = _required(fields, "command")
    job["command"] = ["/bin/bash", "-c", command]
    slices, nodes = whole(fields, "num-slices"), whole(fields, "num-nodes")
    if "topology" in machine:
        job["replicas"] = slices or 1
    else:
        job |= {"pods_per_replica": nodes or 1}
    if retries := whole(fields, "max-restarts"):
        job["retries"] = retries
    if env := _env(fields):
        job["env"] = env
    fields.get("mtc-enabled", bool)  # where they are saved says it all
    if folder := fields.get("ramdisk-directory", default=""):
        job["checkpoints"] = folder
    job["queue"] = "default"
    _priority(fields, job)
    if fields.get("scheduler", default=_DEFAULT_SCHEDULER) != _DEFAULT_SCHEDULER:
        fields.lose("scheduler", "pods go to the scheduler of the cluster")
    work.append(at, ("workloads", "jobsets"), job)


def _required(fields: Fields, name: str) -> str:
    found = fields.get(name, default="")
    if not found:
        fields.work.say(fields.at(name), "error", f"--{name} is missing", "add it to the command")
    return str(found)


def _same_cluster(fields: Fields, cluster: str) -> None:
    """Everything is about the one cluster; where it is, its own command says."""
    for name in ("project", "zone"):
        fields.get(name)
    named = fields.get("cluster", default=cluster)
    if named != cluster:
        help_text = "import its script by itself"
        message = f"the workload is for cluster {named}, not for {cluster}"
        fields.work.say(fields.at("cluster"), "error", message, help_text)


def _image(fields: Fields) -> str:
    image = fields.get("docker-image", default="")
    if not image:
        message = "the workload names no image: XPK would build one of --base-docker-image and --script-dir"
        help_text = "build and push it once, and add --docker-image=..."
        fields.work.say(fields.at("workload"), "error", message, help_text)
    return str(image)


def _env(fields: Fields) -> dict[str, str]:
    found = {}
    for each in fields.get("env", list, []):
        name, sign, value = each.partition("=")
        if not sign:
            message = f"--env {quoted(each)} takes its value from the calling shell"
            fields.work.say(fields.at("env"), "error", message, f"write --env {name}=VALUE")
        found[name] = value
    return found


def _priority(fields: Fields, job: dict[str, Any]) -> None:
    """XPK's classes, of which `medium` is the default: the one that is named is made."""
    name = fields.get("priority", default="")
    if not name or name == "medium":
        return
    if name not in _PRIORITIES:
        message = f"--priority {name} is not one of {', '.join(_PRIORITIES)}"
        fields.work.say(fields.at("priority"), "error", message)
        return
    job["priority"] = name
    # Jobs without a priority have 0 here, and 500 there.
    kueue = fields.work.data["workloads"]["kueue"]
    priorities = kueue.setdefault("priorities", [])
    wanted = {"name": name, "value": _PRIORITIES[name] - _PRIORITIES["medium"]}
    if wanted not in priorities:
        priorities.append(wanted)
