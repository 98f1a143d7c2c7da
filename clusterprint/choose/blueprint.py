"""The blueprint of an offer, as somebody would write it: nothing that is so anyway."""

from typing import NamedTuple

from clusterprint.catalog import CapacityModel

_HEAD = """\
clusterprint: v1
kind: {kind}
name: {name}
"""
_GOOGLE = """\
project: my-project
region: {region}
zone: {zone}
"""
_AZURE = """\
subscription: 00000000-0000-0000-0000-000000000000
location: {region}
"""
_BACKEND = "backend: {gcs: {bucket: my-terraform-state}}\n"
_ADMIN = """\
admin: {ssh_public_key: {inline: "KEY"}}
head_node: {ssh_source_ranges: [203.0.113.0/24]}
"""
_WINDOW = """\
cluster:
  maintenance:
    window:
      start: "2026-01-03T00:00:00Z"
      end: "2026-01-03T08:00:00Z"
      recurrence: FREQ=WEEKLY;BYDAY=SA,SU
"""
_CAPACITY: dict[CapacityModel, str] = {
    "on_demand": "",
    "spot": "capacity: {model: spot}",
    "flex_start": "capacity: {model: flex_start, max_run_duration: 7d}",
    "reservation": "capacity: {model: reservation, reservation: my-reservation}",
}
_AZURE_RESERVATION = (
    "capacity: {model: reservation, reservation: /subscriptions/00000000-0000-0000-0000-000000000000/"
    "resourceGroups/my-group/providers/Microsoft.Compute/capacityReservationGroups/my-reservation}"
)


# The public half of a key that nobody has: to be replaced.
_KEY = (
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMs221yWpYd4RCIejToLvbgrYyUcwpu1a+9VLBVLMqzz replace-me@example.com"
)


class Wanted(NamedTuple):
    """The content of a blueprint.

    `attached` GPUs are of each N1 machine, `topology` is that of TPU slices. Machines that have something
    that `receives` for their GPUs have it on Container-Optimized OS only.
    """

    kind: str
    name: str
    machine_type: str
    nodes: int
    capacity: CapacityModel
    region: str
    zone: str = ""
    attached: tuple[str, int] | None = None
    topology: str = ""
    slices: int = 1
    receives: bool = False


def written(wanted: Wanted) -> str:
    """The text of the blueprint."""
    place = _AZURE if wanted.kind == "vmss" else _GOOGLE
    head = _HEAD.format(kind=wanted.kind, name=wanted.name) + place.format(
        region=wanted.region, zone=wanted.zone
    )
    return f"{head}{_BACKEND}{_BODIES[wanted.kind](wanted)}"


def _lines(wanted: Wanted, indent: str) -> str:
    lines = [f"machine_type: {wanted.machine_type}"]
    if wanted.attached:
        lines.append(f"guest_accelerator: {{type: {wanted.attached[0]}, count: {wanted.attached[1]}}}")
    if wanted.topology:
        slices = f", slices: {wanted.slices}" if wanted.slices > 1 else ""
        lines.append(f"tpu: {{topology: {wanted.topology}{slices}}}")
    lines += filter(None, [_CAPACITY[wanted.capacity]])
    lines += ["image: {project: cos-cloud, family: cos-121-lts}", "driver: 580"] if wanted.receives else []
    return "".join(f"{indent}{line}\n" for line in lines)


def _vm(wanted: Wanted) -> str:
    return f"nodes:\n{_lines(wanted, '  ')}  count: {wanted.nodes}\n"


def _pool(wanted: Wanted) -> str:
    scaled = wanted.capacity == "flex_start" and not wanted.topology
    amount = f"    autoscaling: {{max: {wanted.nodes}}}\n" if scaled else f"    count: {wanted.nodes}\n"
    lines = f"node_pools:\n  - name: main\n{_lines(wanted, '    ')}"
    return lines if wanted.topology else lines + amount


def _gke(wanted: Wanted) -> str:
    # Without a window, nodes are upgraded one by one in the middle of a job that spans them.
    return f"{_WINDOW if wanted.nodes > wanted.slices else ''}{_pool(wanted)}"


def _ray(wanted: Wanted) -> str:
    hosts = wanted.nodes
    return f"{_gke(wanted)}ray: {{workers: [{{name: main, pool: main, max: {hosts}}}]}}\n"


def _vmss(wanted: Wanted) -> str:
    capacity = _AZURE_RESERVATION if wanted.capacity == "reservation" else _CAPACITY[wanted.capacity]
    lines = [f"size: {wanted.machine_type}", f"count: {wanted.nodes}", *filter(None, [capacity])]
    return "nodes:\n" + "".join(f"  {line}\n" for line in lines) + _ADMIN.replace("KEY", _KEY)


_BODIES = {"vm": _vm, "gke": _gke, "ray": _ray, "vmss": _vmss}
#: The kinds that machines are chosen for: those that have any.
OFFERED = tuple(_BODIES)
