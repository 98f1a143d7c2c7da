"""The device that XPK is asked for, as a node pool."""

import math
import re
from typing import Any

from clusterprint import catalog
from clusterprint.importing.accelerators import gpu_machine
from clusterprint.importing.fields import Fields
from clusterprint.words import listed

_DEVICE = re.compile(r"(.+)-([0-9]{1,5})")
_NODES = 2  # the default of `xpk cluster create --num-nodes`
NAME = "accelerators"


def pool(fields: Fields) -> None:
    """Write the pool of the device, with as many nodes or slices as are asked for."""
    work = fields.work
    option = device_option(fields)
    named = fields.get(option, default="")
    found = machine_of(named)
    slices, nodes = whole(fields, "num-slices"), whole(fields, "num-nodes")
    pool: dict[str, Any] = {"name": NAME}
    if "topology" in found:
        pool |= {
            "machine_type": found["machine_type"],
            "tpu": {"topology": found["topology"], "slices": slices or 1},
        }
    else:
        pool |= {"machine_type": found["machine_type"], "count": nodes or _NODES}
    if not pool["machine_type"]:
        help_text = (
            "write the pool yourself: clusterprint machines and clusterprint choose list machine types"
        )
        work.say(fields.at(option), "error", f"--{option} {named} is not a known accelerator", help_text)
    _say_shape(fields, named, found)
    pool["capacity"] = _capacity(fields)
    work.append(fields.at(option), ("node_pools",), pool)


def device_option(fields: Fields) -> str:
    """Which of its two options names the device."""
    return next((each for each in ("tpu-type", "device-type") if fields.source.look((each,))), "device-type")


def machine_of(device: str) -> dict[str, str]:
    """Machine type of a device, empty where none is known, and the topology if it is a TPU slice."""
    machine, topology = catalog.tpu_slice(device)
    if machine:
        return {"machine_type": machine, "topology": topology}
    match = _DEVICE.fullmatch(device)
    kind, size = (match[1], int(match[2])) if match else ("", 0)
    return {"machine_type": gpu_machine(kind, size)}


def _say_shape(fields: Fields, device: str, found: dict[str, str]) -> None:
    """Name the topology of a size that several slices have: XPK may take another one."""
    topology, tpu = found.get("topology", ""), catalog.tpu_type_of(found["machine_type"])
    if tpu is None or device.endswith(f"-{topology}"):
        return
    _, *others = tpu.shapes_of(math.prod(map(int, topology.split("x"))))
    if others:
        fields.work.decide(
            f"{device} is {topology}, the most compact slice of that size; others are {listed(others, 'and')}"
        )


def whole(fields: Fields, name: str) -> int:
    """A whole number, 0 where none is given; anything else is an error."""
    text = fields.get(name, default="")
    if text and not re.fullmatch(r"[0-9]{1,6}", text):
        fields.work.say(fields.at(name), "error", f"--{name} is not a whole number: {text!r}")
        return 0
    return int(text or 0)


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
