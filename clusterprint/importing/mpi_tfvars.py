"""Variables of the MPI clusters with Terraform and Kubernetes: a cluster of GKE with one MPI job."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from clusterprint import catalog
from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.hcl import from_tfvars
from clusterprint.importing.work import Translated, Work

_NAMED = "cornellcac/nix-mpi-benchmarks"
_IMAGE = f"{_NAMED}:a4f3cd63f6994703bbaa0636f4ddbcc87e83ea05"
# What that image is made for, as in blueprints/gke-mpi-hpl.yaml: all of it is in the Nix shell of its user.
_IN_NIX: dict[str, Any] = {
    "working_dir": "/nixenv/nixuser",
    "worker_command": [
        "/bin/sh",
        "-c",
        "ssh-keygen -A && exec /nixenv/nixuser/.nix-profile/bin/sshd -D -e -p 2222 -o StrictModes=no",
    ],
    "ssh_user": "nixuser",
    "ssh_port": 2222,
}
_RUNSCRIPT = "mpirun -np 4 --bind-to core --map-by slot xhpl"
# What each worker asked for, so that a node has one of them.
_CPUS, _MEMORY_GB = 3, 10
_NAME = "hpl-benchmarks"
_ZONES = 3
# Options of mpirun that have a value after them.
_WITH_VALUE = {"--bind-to", "-bind-to", "--map-by", "-map-by", "-x", "--mca", "-mca", "--rank-by"}
_COUNTS = {"-np", "-n", "--np", "-c"}


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint that the variables mean."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: a file of variables is imported alone")
    source, findings = from_tfvars(texts[0].file, texts[0].text)
    work = Work("gke")
    work.findings += findings
    fields = Fields(work, source, given)
    fields.required("project_id", ("project",))
    fields.required("region", ("region",))
    fields.put("zone", ("zone",))
    name = fields.get("container_name", default=_NAME)
    work.put(fields.at("container_name"), ("name",), str(name)[:20].rstrip("-"))
    if owner := fields.get("owner"):
        work.put(fields.at("owner"), ("labels",), {"owner": owner})
    fields.state("project")
    _pools(fields)
    _job(fields, str(name))
    why = "no key of a service account is read: Terraform uses your login (`clusterprint doctor`)"
    fields.follows(why, ("google_credentials",))
    fields.left()
    return work.done()


def _pools(fields: Fields) -> None:
    work = fields.work
    count = fields.get("gke_nodes_per_zone", int, 1)
    zonal = fields.get("zonal_cluster", bool, default=False)
    work.put(fields.at("zonal_cluster"), ("cluster", "location"), "zonal" if zonal else "regional")
    if not zonal:
        work.decide(f"a regional cluster had nodes in {_ZONES} zones: {count} in each are {count * _ZONES}")
        count *= _ZONES
    machine = fields.get("worker_machine_type") or fields.get("machine_type", default="n1-standard-1")
    at = fields.at("worker_machine_type" if fields.source.look(("worker_machine_type",)) else "machine_type")
    work.append(at, ("node_pools",), {"name": "workers", "machine_type": machine, "count": count})
    launcher = fields.get("launcher_machine_type")
    if launcher:
        pool = {"name": "launcher", "machine_type": launcher, "count": 1}
        work.append(fields.at("launcher_machine_type"), ("node_pools",), pool)


def _job(fields: Fields, name: str) -> None:
    """The job, each part with the variable that it is from."""
    work = fields.work
    workers, slots = fields.get("num_workers", int, 2), fields.get("slots_per_worker", int, 2)
    image = fields.get("image_id", default=_IMAGE)
    job: dict[str, tuple[str, Any]] = {
        "name": ("container_name", name),
        "image": ("image_id", image),
        "workers": ("num_workers", workers),
        "slots_per_worker": ("slots_per_worker", slots),
    }
    machine = catalog.machine(work.data["node_pools"][0]["machine_type"])
    if machine and machine.vcpus > _CPUS and machine.memory_gb > _MEMORY_GB:
        job |= {"cpus_per_worker": ("", _CPUS), "memory_gb_per_worker": ("", _MEMORY_GB)}
    job |= _wrapped(fields) if _is_nix(image) else _plain(fields, workers * slots)
    launcher = "launcher_machine_type"
    job["node_pool"] = ("", "workers")
    job["launcher_node_pool"] = (launcher, "launcher" if fields.source.look((launcher,)) else "system")
    path = fields.get("path_to_file", default="../mpi-files/HPL.dat")
    beside = PurePosixPath(path).name
    file = {"source": f"./{beside}", "destination": f"/home/nixuser/{beside}"}
    job["files"] = ("path_to_file", [file])
    work.decide(f"{path} is read from beside the blueprint, as ./{beside}, and lies in /home/nixuser")
    place = ("workloads", "mpi", "jobs")
    work.append(fields.at("num_workers"), place, {key: value for key, (_, value) in job.items()})
    work.origins |= {(*place, 0, key): fields.at(named) for key, (named, _) in job.items() if named}


def _is_nix(image: str) -> bool:
    return re.split("[:@]", image.removeprefix("docker.io/"), maxsplit=1)[0] == _NAMED


def _wrapped(fields: Fields) -> dict[str, tuple[str, Any]]:
    """The program in the image that the scripts are made for, by the variable that names it."""
    script = shlex.quote(f"cd ~; {fields.get('runscript', default=_RUNSCRIPT)}")
    launcher = ["su", "nixuser", "-c", f"nix-shell dev.nix --run {script}"]
    return {
        **{key: ("image_id", value) for key, value in _IN_NIX.items()},
        "launcher_command": ("runscript", launcher),
    }


def _plain(fields: Fields, processes: int) -> dict[str, tuple[str, Any]]:
    """The program in another image, which the scripts ran in the same way."""
    why = "the command ran as nixuser, in the Nix shell of the image, and runs as the image's user here"
    help_text = "write launcher_command, worker_command, ssh_user and ssh_port if the image needs them"
    fields.work.say(fields.at("image_id"), "loss", f"image_id: {why}", help_text)
    options, command = _command(fields, processes)
    found = {"mpirun_options": ("runscript", options)} if options else {}
    return {**found, "command": ("runscript", command)}


def _command(fields: Fields, processes: int) -> tuple[list[str], list[str]]:
    """The program without mpirun and its number of processes, which follow from workers and slots."""
    text = fields.get("runscript", default=_RUNSCRIPT)
    try:
        words = shlex.split(text)
    except ValueError as error:
        fields.work.say(fields.at("runscript"), "error", f"runscript is not a command: {error}")
        return [], []
    while words and words[0] != "mpirun":
        fields.work.say(
            fields.at("runscript"), "loss", f"runscript: {words.pop(0)!r} before mpirun is not carried over"
        )
    options: list[str] = []
    words = words[1:]
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in _COUNTS and words:
            asked = words.pop(0)
            if asked != str(processes):
                message = f"runscript asks for {asked} processes, and workers times slots are {processes}"
                fields.work.say(
                    fields.at("runscript"), "loss", message, "change num_workers or slots_per_worker"
                )
            continue
        options.append(option)
        if option in _WITH_VALUE and words:
            options.append(words.pop(0))
            if option in ("--mca", "-mca") and words:
                options.append(words.pop(0))
    return options, words
