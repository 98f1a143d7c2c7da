"""Translation of variables to a blueprint; variables without an equivalent are reported."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from clusterprint import catalog
from clusterprint.importing.envfile.command import ACTIONS, NO, YES
from clusterprint.importing.envfile.read import Variable
from clusterprint.importing.envfile.work import Work
from clusterprint.importing.findings import Finding
from clusterprint.importing.hcl import value_of
from clusterprint.importing.work import Translated
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import LIKELY, Guesses

_MACHINE_TYPE = "a2-highgpu-2g"
_IMAGE_PROJECT = "ml-images"
_COPIED = "/usr/aiinfra/copy"
_FILESTORE_GB = "2560"
# Tiers as they were called, and what they are called now.
_TIERS = {
    "BASIC_HDD": "basic_hdd",
    "BASIC_SSD": "basic_ssd",
    "HIGH_SCALE_SSD": "zonal",
    "ENTERPRISE": "regional",
}
_REQUIRED = ("PROJECT_ID", "NAME_PREFIX", "ZONE")
# What only versions know in which IMAGE_NAME is the name of an image; before, it was a family.
_LATER = ("IMAGE_FAMILY_NAME", "IMAGE_PROJECT", "DISK_SIZE_GB", "DISK_TYPE", "ACCELERATOR_TYPE", "LABELS")


def translate(variables: Mapping[str, Variable]) -> Translated:
    """The blueprint that an env file means."""
    work = Work(variables)
    for name in _REQUIRED:
        if name not in variables:
            work.findings.append(Finding(0, "error", f"{name} is missing", f"add {name}=..."))
    guesses, names = Guesses(LIKELY), tuple(MEANINGS)
    for name, variable in variables.items():
        meaning = MEANINGS.get(name)
        if meaning:
            meaning(work, variable)
        else:
            help_text = did_you_mean(guesses.closest(name, names)) or "remove it"
            work.say(variable, "error", f"no version of the container knows {name}", help_text)
    _finish(work)
    return work.done()


# ---- what each variable means


def _text(keys: tuple[str, ...], work: Work, variable: Variable) -> None:
    work.put(variable, keys, variable.value)


def _number(keys: tuple[str, ...], work: Work, variable: Variable) -> None:
    if re.fullmatch(r"[0-9]{1,9}", variable.value):
        work.put(variable, keys, int(variable.value))
    else:
        work.say(variable, "error", f"{variable.name} is not a whole number: {variable.value!r}")


def _is_yes(work: Work, variable: Variable) -> bool:
    if variable.value.lower() not in YES | NO:
        work.say(variable, "error", f"{variable.name} is neither yes nor no: {variable.value!r}")
    return variable.value.lower() in YES


def _map(keys: tuple[str, ...], work: Work, variable: Variable) -> None:
    """A map as Terraform reads it: `{ team = "ml", run = 7 }`, `{"team": "ml"}`."""
    reason = ""
    try:
        found = value_of(variable.value)
    except ValueError as error:
        found, reason = None, f": {error}"
    if isinstance(found, dict) and all(isinstance(each, str | int | float) for each in found.values()):
        words = {True: "true", False: "false"}
        texts = {float: lambda each: f"{Decimal(str(each)):f}", bool: words.__getitem__}
        pairs = {key: texts.get(type(each), str)(each) for key, each in found.items()}
        if pairs:
            work.put(variable, keys, pairs)
        return
    message = f'{variable.name} is not a map such as {{ key = "value" }}{reason}'
    work.say(variable, "error", message, "each value in double quotes, commas between")


def _action(work: Work, variable: Variable) -> None:
    action = variable.value.lower()
    if action in ACTIONS:
        work.action = action
    else:
        work.say(
            variable, "error", f"there is no action {variable.value!r}", f"use one of {', '.join(ACTIONS)}"
        )


def _state(work: Work, variable: Variable) -> None:
    match = re.fullmatch(r"gs://([^/]+)(?:/(.*[^/]))?", variable.value)
    if match is None:
        work.say(variable, "error", f"{variable.name} is not gs://bucket/folder without a slash at its end")
        return
    work.put(variable, ("backend", "gcs", "bucket"), match[1])
    if match[2]:
        work.put(variable, ("backend", "gcs", "prefix"), match[2])


def _image(work: Work, variable: Variable) -> None:
    is_family = variable.name == "IMAGE_FAMILY_NAME" or not any(each in work.variables for each in _LATER)
    if variable.name == "IMAGE_NAME" and "IMAGE_FAMILY_NAME" in work.variables:
        work.say(variable, "warning", "IMAGE_NAME is left out: IMAGE_FAMILY_NAME wins, as it did")
        return
    work.put(variable, ("nodes", "image", "project"), work.value("IMAGE_PROJECT") or _IMAGE_PROJECT)
    work.put(variable, ("nodes", "image", "family" if is_family else "name"), variable.value)
    if not work.value("IMAGE_PROJECT"):
        message = f"images of {_IMAGE_PROJECT} are no longer built"
        work.say(variable, "warning", message, "leave it out for the current image with a GPU driver")


def _image_project(work: Work, variable: Variable) -> None:
    if not {"IMAGE_NAME", "IMAGE_FAMILY_NAME"} & {*work.variables}:
        work.say(variable, "error", "IMAGE_PROJECT has no effect without IMAGE_FAMILY_NAME or IMAGE_NAME")


def _gpus(work: Work, variable: Variable) -> None:
    """GPUs are attached to N1 machines; all others come with theirs."""
    name = work.value("VM_TYPE") or _MACHINE_TYPE
    machine = catalog.machine(name)
    if machine is None or machine.series == "n1":
        if variable.name == "ACCELERATOR_TYPE":
            work.put(variable, ("nodes", "guest_accelerator", "type"), variable.value)
        else:
            _number(("nodes", "guest_accelerator", "count"), work, variable)
        return
    has = machine.gpu.accelerator_type if machine.gpu else "no GPU"
    own = f"{machine.gpus:g}" if variable.name == "GPU_COUNT" else has
    if variable.value != own:
        message = f"{variable.name} is {variable.value}, but {name} has {own}"
        work.say(variable, "error", message, "leave it out, or use another VM_TYPE")


def _files(work: Work, variable: Variable) -> None:
    path = PurePosixPath(variable.value)
    if path.is_absolute():
        message = f"COPY_DIR_PATH is a path inside the container: {path}"
        help_text = f"put the folder beside the env file, and write COPY_DIR_PATH=./{path.name or 'files'}; "
        help_text += "the image of clusterprint reads a folder that is mounted there"
        work.say(variable, "error", message, help_text)
        return
    destination = work.value("VM_LOCALFILE_DEST_PATH") or _COPIED
    work.put(variable, ("files",), [{"source": f"./{path}", "destination": destination}])


def _script(work: Work, variable: Variable) -> None:
    if variable.name != "STARTUP_SCRIPT_PATH":
        work.put(variable, ("startup_script",), {"inline": f"#!/bin/bash\n{variable.value}\n"})
    elif {"STARTUP_SCRIPT", "STARTUP_COMMAND"} & {*work.variables}:
        work.say(variable, "warning", "STARTUP_SCRIPT_PATH is left out: the script in place wins, as it did")
    elif PurePosixPath(variable.value).is_absolute():
        name = PurePosixPath(variable.value).name
        help_text = f"put it beside the env file, and write STARTUP_SCRIPT_PATH=./{name}"
        work.say(variable, "error", "STARTUP_SCRIPT_PATH is a path inside the container", help_text)
    else:
        work.put(variable, ("startup_script",), {"file": f"./{PurePosixPath(variable.value)}"})


def _ray(work: Work, variable: Variable) -> None:
    if _is_yes(work, variable):
        work.put(variable, ("bootstrap", "ray"), {})


def _orchestrator(work: Work, variable: Variable) -> None:
    kind = variable.value.lower()
    if kind in ("ray", "slurm"):
        work.put(variable, ("bootstrap", kind), {})
    elif kind != "none":
        of_gke = "begin with clusterprint init --kind gke" if kind == "gke" else ""
        message = f"ORCHESTRATOR_TYPE {variable.value} becomes no machines"
        work.say(variable, "error", message, of_gke or "use ray, slurm or none")


def _mounts(work: Work, variable: Variable) -> None:
    volumes: list[dict[str, Any]] = []
    for part in filter(None, (each.strip() for each in variable.value.split(","))):
        bucket, sign, path = part.partition(":")
        if not (sign and bucket and path.startswith("/")):
            work.say(variable, "error", f"{part!r} is not bucket:/path")
            return
        volumes.append({"kind": "bucket", "bucket": bucket, "create": False, "mount": path})
    _add_volumes(volumes, work, variable)


def _file_systems(work: Work, variable: Variable) -> None:
    """`/path:TIER[:GB]`, with commas between: a Filestore each."""
    volumes: list[dict[str, Any]] = []
    for part in filter(None, (each.strip() for each in variable.value.split(","))):
        path, _, rest = part.partition(":")
        tier, _, size = rest.partition(":")
        if not path.startswith("/") or tier.upper() not in _TIERS or not (size or _FILESTORE_GB).isdigit():
            known = ", ".join(_TIERS)
            work.say(variable, "error", f"{part!r} is not /path:TIER or /path:TIER:GB", f"tiers are {known}")
            return
        shape = {"tier": _TIERS[tier.upper()], "size_gb": int(size or _FILESTORE_GB)}
        volumes.append({"kind": "filestore", "mount": path, **shape})
    _add_volumes(volumes, work, variable)


def _add_volumes(volumes: list[dict[str, Any]], work: Work, variable: Variable) -> None:
    """Volumes are called after the folders that they are mounted on."""
    for each in volumes:
        name = re.sub(r"[^a-z0-9]+", "-", each["mount"].lower()).strip("-")
        work.append(variable, ("storage", "volumes"), {"name": name, **each})


def _ops_agent(work: Work, variable: Variable) -> None:
    work.put(variable, ("monitoring", "ops_agent"), _is_yes(work, variable))


def _notebook(work: Work, variable: Variable) -> None:
    if _is_yes(work, variable):
        work.put(variable, ("notebook",), {})


def _left_out(why: str, work: Work, variable: Variable) -> None:
    work.say(variable, "loss", f"{variable.name} is left out: {why}")


def _networks(work: Work, variable: Variable) -> None:
    """Of `multi_nic_network`, four networks besides the first, unless the machines bring theirs."""
    if variable.value != "multi_nic_network":
        _left_out("the cluster creates a network of its own", work, variable)
    elif (machine := catalog.machine(work.value("VM_TYPE") or _MACHINE_TYPE)) and machine.network.nics > 1:
        _left_out(f"{machine.name} brings networks of its own, which are created", work, variable)
    else:
        work.put(variable, ("nodes", "extra_networks"), 4)


def _if_yes(why: str, work: Work, variable: Variable) -> None:
    if _is_yes(work, variable):
        _left_out(why, work, variable)


def _cleanup(work: Work, variable: Variable) -> None:
    _is_yes(work, variable)  # what it asks for is said by the command, not by the blueprint


def _sleep(work: Work, variable: Variable) -> None:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", variable.value):
        work.say(variable, "error", f"{variable.name} is not a number of seconds: {variable.value!r}")


def _silent(_work: Work, _variable: Variable) -> None:
    """Variables that belong to another one, or mean nothing in a blueprint."""


_OF_GKE = partial(_left_out, "it is about GKE: begin with clusterprint init --kind gke")
_NO_PROXY = "a notebook has no public address; the output `notebook` is the command that opens it through SSH"

#: The variables of all versions.
MEANINGS: dict[str, Callable[[Work, Variable], None]] = {
    "ACTION": _action,
    "PROJECT_ID": partial(_text, ("project",)),
    "NAME_PREFIX": partial(_text, ("name",)),
    "REGION": partial(_text, ("region",)),
    "ZONE": partial(_text, ("zone",)),
    "INSTANCE_COUNT": partial(_number, ("nodes", "count")),
    "GPU_COUNT": _gpus,
    "ACCELERATOR_TYPE": _gpus,
    "VM_TYPE": partial(_text, ("nodes", "machine_type")),
    "IMAGE_NAME": _image,
    "IMAGE_FAMILY_NAME": _image,
    "IMAGE_PROJECT": _image_project,
    "DISK_SIZE_GB": partial(_number, ("nodes", "boot_disk", "size_gb")),
    "DISK_TYPE": partial(_text, ("nodes", "boot_disk", "type")),
    "METADATA": partial(_map, ("metadata",)),
    "LABELS": partial(_map, ("labels",)),
    "CLEANUP_ON_EXIT": _cleanup,
    "SLEEP_DURATION_SEC": _sleep,
    "GCS_PATH": _state,
    "TERRAFORM_GCS_PATH": _state,
    "COPY_DIR_PATH": _files,
    "VM_LOCALFILE_DEST_PATH": _silent,
    "STARTUP_SCRIPT": _script,
    "STARTUP_COMMAND": _script,
    "STARTUP_SCRIPT_PATH": _script,
    "SETUP_RAY": _ray,
    "ORCHESTRATOR_TYPE": _orchestrator,
    "GKE_NODE_POOL_COUNT": _OF_GKE,
    "GKE_NODE_COUNT_PER_NODE_POOL": _OF_GKE,
    "GKE_ENABLE_COMPACT_PLACEMENT": _OF_GKE,
    "GKE_VERSION": _OF_GKE,
    "CUSTOM_NODE_POOL": _OF_GKE,
    "GCS_MOUNT_LIST": _mounts,
    "NFS_FILESTORE_LIST": _file_systems,
    "SHOW_PROXY_URL": partial(_if_yes, _NO_PROXY),
    "ENABLE_NOTEBOOK": _notebook,
    "ENABLE_OPS_AGENT": _ops_agent,
    "NETWORK_CONFIG": _networks,
    "MINIMIZE_TERRAFORM_LOGGING": _silent,
    "DEBUG_HOLD": _silent,
}


def _finish(work: Work) -> None:
    """Values derived from several variables, or from a missing one."""
    zone = work.variables.get("ZONE")
    if zone and "REGION" not in work.variables:
        work.put(zone, ("region",), catalog.region_of(zone.value))
    name = work.variables.get("NAME_PREFIX")
    if name and "backend" not in work.data:
        work.put(name, ("backend", "gcs", "bucket"), f"{name.value}-tf-bucket")
        work.decide(f"state is kept in the bucket {name.value}-tf-bucket, as it was by default")
    if name and "machine_type" not in work.data.get("nodes", {}):
        work.put(name, ("nodes", "machine_type"), _MACHINE_TYPE)
        work.decide(f"machines are {_MACHINE_TYPE}, as they were by default")
