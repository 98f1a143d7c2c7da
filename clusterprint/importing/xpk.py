"""A command line of XPK, `xpk cluster create ...`: a cluster of GKE."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint import catalog
from clusterprint.errors import UsageError
from clusterprint.importing.accelerators import gpu_machine, tpu_slice
from clusterprint.importing.fields import Fields
from clusterprint.importing.findings import Finding
from clusterprint.importing.formats import Text
from clusterprint.importing.source import Source
from clusterprint.importing.work import Translated, Work

_COMMAND = re.compile(r"(?:^|[\s/])xpk(?:\.py)?\s+cluster\s+create(?:-pathways)?\b")
_DEVICE = re.compile(r"(.+)-([0-9]{1,5})")
_ADDONS = {
    "enable-gcsfuse-csi-driver": "gcs_fuse",
    "enable-gcpfilestore-csi-driver": "filestore",
    "enable-lustre-csi-driver": "lustre",
    "enable-parallelstore-csi-driver": "parallelstore",
    "enable-pd-csi-driver": "persistent_disk",
}
_POOL = "accelerators"


def translate(texts: Sequence[Text], given: Mapping[str, str]) -> Translated:
    """The blueprint of the cluster that the command would make."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: a command line of XPK is imported alone")
    source, findings = _read(texts[0].file, texts[0].text)
    work = Work("gke")
    work.findings += findings
    fields = Fields(work, source, given)
    fields.required("cluster", ("name",))
    fields.required("project", ("project",))
    fields.required("zone", ("zone",))
    zone = work.data.get("zone", "")
    work.put(fields.at("zone"), ("region",), catalog.region_of(zone) if zone else "")
    fields.state("project")
    _pool(fields)
    fields.put("gke-version", ("cluster", "version"))
    fields.put("release-channel", ("cluster", "release_channel"), str, str.lower)
    for option, key in _ADDONS.items():
        if fields.get(option, bool, default=False):
            work.put(fields.at(option), ("cluster", "addons", key), value=True)
    fields.put("default-pool-cpu-machine-type", ("system_pool", "machine_type"))
    if count := _whole(fields, "default-pool-cpu-num-nodes"):
        work.put(
            fields.at("default-pool-cpu-num-nodes"), ("system_pool", "autoscaling"), {"min": 1, "max": count}
        )
    for option in ("enable-workload-identity", "private", "force"):
        fields.get(option, bool)  # every cluster is private and has workload identity; nothing asks
    work.put(fields.at("cluster"), ("workloads",), {"jobset": {}, "kueue": {}})
    work.decide(
        "JobSet and Kueue are installed, as XPK does; the control plane is reached through its DNS endpoint"
    )
    fields.left()
    return work.done()


def _pool(fields: Fields) -> None:
    work = fields.work
    pool: dict[str, Any] = {"name": _POOL}
    option = next(
        (each for each in ("tpu-type", "device-type") if fields.source.look((each,))), "device-type"
    )
    named = fields.get(option, default="")
    match = _DEVICE.fullmatch(named)
    kind, size = (match[1], int(match[2])) if match else ("", 0)
    machine, topology = tpu_slice(kind, size)
    slices, nodes = _whole(fields, "num-slices"), _whole(fields, "num-nodes")
    if machine:
        pool |= {"machine_type": machine, "tpu": {"topology": topology, "slices": slices or 1}}
    else:
        pool |= {"machine_type": gpu_machine(kind, size), "count": nodes or slices or 1}
    if not pool["machine_type"]:
        help_text = (
            "write the pool yourself: clusterprint machines and clusterprint choose name what there is"
        )
        work.say(fields.at(option), "error", f"--{option} {named} is no accelerator that is known", help_text)
    pool["capacity"] = _capacity(fields)
    work.append(fields.at(option), ("node_pools",), pool)


def _capacity(fields: Fields) -> dict[str, Any]:
    reservation = fields.get("reservation")
    spot, flex = fields.get("spot", bool), fields.get("flex", bool)
    fields.get("on-demand", bool)
    if reservation:
        for name in ("spot", "flex"):
            if fields.source.look((name,)):
                fields.work.say(fields.at(name), "loss", f"--{name}: the pool is of the reservation")
        return {"model": "reservation", "reservation": reservation}
    return {"model": "spot" if spot else "flex_start" if flex else "on_demand"}


def _whole(fields: Fields, name: str) -> int:
    text = fields.get(name, default="")
    if text and not re.fullmatch(r"[0-9]{1,6}", text):
        fields.work.say(fields.at(name), "error", f"--{name} is no whole number: {text!r}")
        return 0
    return int(text or 0)


def _read(file: str, text: str) -> tuple[Source, list[Finding]]:
    """The options of the first such command, without running any."""
    found = _COMMAND.search(text)
    if found is None:
        return Source(file, {}, {}), [Finding(0, "error", "there is no `xpk cluster create`", file=file)]
    rest = text[found.end() :]
    command = re.split(r"(?<!\\)\n", rest.replace("\r\n", "\n"), maxsplit=1)[0]
    first = text.count("\n", 0, found.end()) + 1
    data: dict[str, Any] = {}
    lines: dict[tuple[str | int, ...], int] = {}
    findings: list[Finding] = []
    for number, row in enumerate(command.split("\n"), first):
        try:
            words = shlex.split(row.rstrip("\\"), comments=True)
        except ValueError as error:
            findings.append(Finding(number, "error", f"this is no command line: {error}", file=file))
            continue
        findings += _options(words, number, file, data, lines)
    return Source(file, data, lines), findings


def _options(
    words: list[str], number: int, file: str, data: dict[str, Any], lines: dict[tuple[str | int, ...], int]
) -> list[Finding]:
    findings = []
    taken = -1
    for position, word in enumerate(words):
        if position != taken and not word.startswith("--"):
            findings.append(Finding(number, "loss", f"{word!r} is no option", file=file))
        if word.startswith("--"):
            name, sign, value = word[2:].partition("=")
            follows = words[position + 1 :][:1]
            if not sign and follows and not follows[0].startswith("-"):
                value, taken = follows[0], position + 1
            data[name] = value or True
            lines[name,] = number
            if "$" in value or "`" in value:
                help_text = f"write its value, or give it with --var {name}=..."
                findings.append(
                    Finding(
                        number, "error", f"--{name} is {value}, which a shell would work out", help_text, file
                    )
                )
    return findings
