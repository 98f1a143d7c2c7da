"""Additions of XPK to clusters: checkpoints in memory, ML Diagnostics, Pathways."""

import math
import re
from typing import Any

from clusterprint.importing.fields import Fields
from clusterprint.importing.work import Line

_AMOUNT = re.compile(r"([0-9]{1,6})(Gi?)")
_GIB = 2**30
_VOLUME = "checkpoints"
# Of the pool that XPK makes for the heads of jobs with Pathways.
_HEADS: dict[str, Any] = {"name": "cpu-np", "machine_type": "n2-standard-64"}
_MOST_HEADS = 20


def checkpoints(fields: Fields) -> None:
    """Checkpoints in the memory of nodes, with their bucket, which is there already."""
    wanted = fields.get("enable-mtc", bool, default=False)
    size, bucket = fields.get("mtc-ramdisk-size", default=""), fields.get("mtc-gcs-bucket", default="")
    fields.follows("taints of nodes are known", ("mtc-toleration-key",))
    if not wanted:
        return
    amount = _AMOUNT.fullmatch(size)
    if amount is None or not bucket:
        missing = "mtc-gcs-bucket" if amount else "mtc-ramdisk-size"
        help_text = "write a size such as --mtc-ramdisk-size=64Gi, and a bucket"
        fields.work.say(fields.at("enable-mtc"), "error", f"--{missing} has no known value", help_text)
        return
    name = bucket.removeprefix("gs://").partition("/")[0]
    volume = {"name": _VOLUME, "kind": "bucket", "create": False, "bucket": name}
    fields.work.append(fields.at("mtc-gcs-bucket"), ("storage", "volumes"), volume)
    unit = _GIB if amount[2] == "Gi" else 10**9
    memory = math.ceil(int(amount[1]) * unit / _GIB)
    said = {"volume": _VOLUME, "memory_gb": memory}
    fields.work.put(fields.at("mtc-ramdisk-size"), ("workloads", "checkpoints"), said)


def diagnostics(fields: Fields) -> None:
    """The charts that ML Diagnostics needs."""
    if fields.get("managed-mldiagnostics", bool, default=False):
        for name in ("cert_manager", "ml_diagnostics"):
            fields.work.put(fields.at("managed-mldiagnostics"), ("workloads", name), {})


def pathways(fields: Fields, line: Line, *, asked: bool) -> None:
    """The pool for the heads of jobs with Pathways; the operator that XPK installs has been given up."""
    machine = fields.get("pathways-gce-machine-type", default=_HEADS["machine_type"])
    if fields.get("enable-pathways", bool, default=False) or asked:
        pool = {**_HEADS, "machine_type": machine, "autoscaling": {"min": 1, "max": _MOST_HEADS}}
        fields.work.append(line, ("node_pools",), pool)
        message = "the operator for PathwaysJob objects is not installed: Google has given it up"
        fields.work.say(line, "loss", message, "jobs of Pathways are JobSets, in workloads.manifests")
