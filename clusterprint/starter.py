"""The smallest blueprint of each kind, from the few things that nobody can guess."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from clusterprint import catalog

#: What stands up in the first try of each kind that has machines: small, and sold on demand.
MACHINES = {
    "vm": "g2-standard-8",
    "gke": "g2-standard-8",
    "ray": "g2-standard-8",
    "vmss": "Standard_NC24ads_A100_v4",
}
#: Where that size of Azure is, among others.
LOCATION = "southcentralus"

# The region with most of everything; prices are lowest there.
_USUAL = "us-central1-"
_POOL = "gpu"


class Start(NamedTuple):
    """The values of a first blueprint. `owner` is a project or a subscription, `region` also a location."""

    kind: str
    name: str
    owner: str
    region: str
    zone: str
    machine_type: str
    bucket: str
    ssh_public_key: str = ""


def zone_of(machine_type: str, region: str) -> str:
    """A zone in which a machine type was seen, in a region if one is named; empty where none is known."""
    zones = catalog.zones_of(machine_type) or ()
    here = [each for each in zones if not region or catalog.region_of(each) == region]
    return min(here, key=lambda each: not each.startswith(_USUAL), default="")


def blueprint(start: Start, schema: str) -> str:
    """The text of the file; `schema` is the path to the schema, as an editor finds it from there."""
    return "\n".join([f"# yaml-language-server: $schema={schema}", *_lines(start)]) + "\n"


def _lines(start: Start) -> Iterator[str]:
    yield "clusterprint: v1"
    yield f"kind: {start.kind}"
    yield f"name: {_text(start.name)}"
    if start.kind == "vmss":
        yield f"subscription: {_text(start.owner)}"
        yield f"location: {_text(start.region)}"
    else:
        yield f"project: {_text(start.owner)}"
        yield f"region: {_text(start.region)}"
        if start.zone:
            yield f"zone: {_text(start.zone)}"
    yield f"backend: {{gcs: {{bucket: {_text(start.bucket)}}}}}"
    yield from _machines(start)


def _machines(start: Start) -> Iterator[str]:
    machine, model = _text(start.machine_type), _model(start.machine_type)
    if start.kind == "vmss":
        yield f"nodes: {{size: {machine}}}"
        yield "network: {bastion: true}"  # else nobody could log in
        yield "admin:"
        yield "  ssh_public_key:"
        yield "    inline: |"
        yield f"      {start.ssh_public_key.strip()}"
    elif start.kind == "vm":
        yield f"nodes: {{machine_type: {machine}{model}}}"
    else:
        yield "node_pools:"
        shape = _slice(start.machine_type)
        yield f"  - {{name: {_POOL}, machine_type: {machine}{shape}{model}}}"
        if start.kind == "ray":
            yield f"ray: {{workers: [{{name: {_POOL}, pool: {_POOL}, max: 1}}]}}"


def _model(machine_type: str) -> str:
    """How a type is obtained that nobody sells on demand."""
    tpu, machine = catalog.tpu_type_of(machine_type), catalog.machine(machine_type)
    sold = tpu.capacity if tpu else machine.capacity if machine else {}
    if sold.get("on_demand") is not False:
        return ""
    model = next((each for each in ("spot", "flex_start") if sold.get(each)), "")
    return f", capacity: {{model: {model}}}" if model else ""


def _slice(machine_type: str) -> str:
    """The smallest slice of a TPU machine."""
    tpu = catalog.tpu_type_of(machine_type)
    shape = next(iter(tpu.slices(machine_type)), "") if tpu else ""
    return f", tpu: {{topology: {shape}}}" if shape else ""


# What is a text in YAML without quotes; everything else gets some.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9._-]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def _text(value: str) -> str:
    return value if _PLAIN.fullmatch(value) and value.lower() not in _WORDS else json.dumps(value)


_PUBLIC_KEY = re.compile(r"(?:ssh-|ecdsa-|sk-)[a-z0-9@.-]+ [A-Za-z0-9+/=]+(?: .*)?")


def is_public_key(text: str) -> bool:
    """Whether a text is one public key of SSH: what goes into a blueprint is no private one."""
    return _PUBLIC_KEY.fullmatch(text.strip()) is not None
