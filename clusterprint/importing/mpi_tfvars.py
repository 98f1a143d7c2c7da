"""Variables of the MPI clusters with Terraform and Kubernetes: a cluster of GKE with one MPI job."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.hcl import from_tfvars
from clusterprint.importing.work import Translated, Work

_IMAGE = "cornellcac/nix-mpi-benchmarks:a4f3cd6"
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
    why = "no key of a service account is read: whoever deploys is logged in (`clusterprint doctor`)"
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
    workers, slots = fields.get("num_workers", int, 2), fields.get("slots_per_worker", int, 2)
    job: dict[str, Any] = {
        "name": name,
        "image": fields.get("image_id", default=_IMAGE),
        "workers": workers,
        "slots_per_worker": slots,
    }
    options, command = _command(fields, workers * slots)
    job |= {"mpirun_options": options} if options else {}
    job["command"] = command
    job["node_pool"] = "workers"
    if fields.source.look(("launcher_machine_type",)):
        job["launcher_node_pool"] = "launcher"
    path = fields.get("path_to_file", default="../mpi-files/HPL.dat")
    beside = PurePosixPath(path).name
    job["files"] = [{"source": f"./{beside}", "destination": f"/home/nixuser/{beside}"}]
    fields.work.decide(f"{path} is read from beside the blueprint, as ./{beside}, and lies in /home/nixuser")
    fields.work.append(fields.at("num_workers"), ("workloads", "mpi", "jobs"), job)


def _command(fields: Fields, processes: int) -> tuple[list[str], list[str]]:
    """What runs, without mpirun and its number of processes, which follow from workers and slots."""
    text = fields.get("runscript", default="mpirun -np 4 --bind-to core --map-by slot xhpl")
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
