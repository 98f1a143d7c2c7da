"""Commands of XPK: `xpk cluster create ...` is a cluster of GKE, `xpk workload create ...` a JobSet on it."""

from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint import catalog
from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.source import Source
from clusterprint.importing.work import Line, Translated, Work
from clusterprint.importing.xpk.commands import SEVERAL, Command, read
from clusterprint.importing.xpk.extras import checkpoints, diagnostics, pathways
from clusterprint.importing.xpk.pool import device_option, machine_of, pool, whole
from clusterprint.importing.xpk.workload import jobset

_CREATES = ("cluster create", "cluster create-pathways")
_RUNS = "workload create"
_OF_JOBS = ("workload", "docker-image", "command")  # what is given for these is not about the cluster
_ADDONS = {
    "enable-gcsfuse-csi-driver": "gcs_fuse",
    "enable-gcpfilestore-csi-driver": "filestore",
    "enable-lustre-csi-driver": "lustre",
    "enable-parallelstore-csi-driver": "parallelstore",
    "enable-pd-csi-driver": "persistent_disk",
}


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint of the cluster that the commands would make, with what they would run on it."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: a script of XPK is imported alone")
    file = texts[0].file
    commands, findings = read(file, texts[0].text, given)
    work = Work("gke")
    work.findings += findings
    clusters = [each for each in commands if each.verb in _CREATES]
    if not clusters:
        work.say(Line(0, file), "error", "there is no `xpk cluster create`")
    cluster = clusters[0] if clusters else Command(_CREATES[0], 0, Source(file, {}, {}))
    jobs = {name for each in commands if each.verb == _RUNS for name in each.source.data}
    given = {
        key: [value] if key in SEVERAL and isinstance(value, str) else value for key, value in given.items()
    }
    about_jobs = (jobs | {*_OF_JOBS}) - cluster.source.data.keys()
    fields = Fields(work, cluster.source, {key: given[key] for key in given if key not in about_jobs})
    _cluster(fields, cluster)
    device = fields.source.look((device_option(fields),))
    machine = machine_of(device if isinstance(device, str) else "")
    for each in commands:
        if each.verb == _RUNS:
            known = {*each.source.data, *_OF_JOBS}
            job = Fields(work, each.source, {key: given[key] for key in given if key in known})
            jobset(job, work.data["name"], machine)
            job.left()
        elif each is not cluster:
            message = f"`xpk {each.verb}` has no counterpart: a blueprint is one cluster and what runs on it"
            work.say(Line(each.line, file), "loss", message)
    fields.left()
    return work.done()


def _cluster(fields: Fields, command: Command) -> None:
    work = fields.work
    fields.required("cluster", ("name",))
    fields.required("project", ("project",))
    fields.required("zone", ("zone",))
    zone = work.data.get("zone", "")
    work.put(fields.at("zone"), ("region",), catalog.region_of(zone) if zone else "")
    fields.state("project")
    pool(fields)
    fields.put("gke-version", ("cluster", "version"))
    fields.put("release-channel", ("cluster", "release_channel"), str, str.lower)
    for option, key in _ADDONS.items():
        if fields.get(option, bool, default=False):
            work.put(fields.at(option), ("cluster", "addons", key), value=True)
    for option in ("cluster-cpu-machine-type", "default-pool-cpu-machine-type"):  # the older name first
        fields.put(option, ("system_pool", "machine_type"))
    if count := whole(fields, "default-pool-cpu-num-nodes"):
        work.put(
            fields.at("default-pool-cpu-num-nodes"), ("system_pool", "autoscaling"), {"min": 1, "max": count}
        )
    for option in ("enable-workload-identity", "private", "force"):
        fields.get(option, bool)  # every cluster is private and has workload identity; nothing asks
    pathways(fields, Line(command.line, fields.source.file), asked=command.verb != _CREATES[0])
    work.put(fields.at("cluster"), ("workloads",), {"jobset": {}, "kueue": {}})
    checkpoints(fields)
    diagnostics(fields)
    work.decide(
        "JobSet and Kueue are installed, as XPK does; the control plane is reached through its DNS endpoint"
    )
