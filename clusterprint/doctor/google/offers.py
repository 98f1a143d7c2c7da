"""Whether machines are offered in their zones now, and whether reservations are there and hold enough."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.google import Google, path
from clusterprint.derived.machines import Machines
from clusterprint.doctor.finding import Finding, Findings


def machine_types(google: Google, project: str, machines: Iterable[Machines]) -> Findings:
    """Whether each type is offered in each of its zones, with the GPUs that are attached to it."""
    wanted = sorted({(zone, each.machine_type) for each in machines for zone in each.zones})
    for zone, name in wanted:
        yield _offered(google, project, (zone, "machineTypes", name), f"clusterprint machines {name}")
    attached = sorted(
        {
            (zone, each.accelerator)
            for each in machines
            for zone in each.zones
            if each.accelerator and each.machine_type.startswith(("n1-", "custom-"))
        }
    )
    for zone, name in attached:
        fix = f"gcloud compute accelerator-types list --filter=name={name}"
        yield _offered(google, project, (zone, "acceleratorTypes", name), fix)


def _offered(google: Google, project: str, what: tuple[str, str, str], fix: str) -> Finding:
    zone, collection, name = what
    place = f"project {project}"
    address = f"compute/v1/{path('projects', project, 'zones', zone, collection, name)}"
    try:
        found = google.get("compute", address)
    except Refused as error:
        if not error.is_missing:
            raise
        message = f"{name} is not offered to this project in {zone} now"
        return Finding(place, "machine_type", "lacks", message, fix)
    if state := found.get("deprecated", {}).get("state"):
        message = f"{name} in {zone} is {str(state).lower()}"
        return Finding(place, "machine_type", "lacks", message, fix)
    return Finding(place, "machine_type", "ok", f"{name} is offered in {zone}")


class _Reservation(NamedTuple):
    project: str
    zone: str
    name: str


def reservations(google: Google, project: str, machines: Iterable[Machines]) -> Findings:
    """Whether the reservations that machines name are there, of their type, and have so many left."""
    wanted: dict[_Reservation, list[Machines]] = {}
    for each in machines:
        for link in each.reservations:
            for zone in each.zones[:1]:
                wanted.setdefault(_reservation(link, project, zone), []).append(each)
    for reservation, users in sorted(wanted.items()):
        yield from _of_one(google, project, reservation, users)


def _reservation(link: str, project: str, zone: str) -> _Reservation:
    """The reservation behind a name or a link, which may go on to a block of it."""
    parts = link.split("/")
    owner = parts[parts.index("projects") + 1] if "projects" in parts[:-1] else project
    name = parts[parts.index("reservations") + 1] if "reservations" in parts[:-1] else parts[0]
    return _Reservation(owner, zone, name)


def _of_one(google: Google, project: str, wanted: _Reservation, users: list[Machines]) -> Iterator[Finding]:
    place, title = f"project {wanted.project}", f"reservation {wanted.name} in {wanted.zone}"
    listing = f"gcloud compute reservations list --project={wanted.project}"
    address = path("projects", wanted.project, "zones", wanted.zone, "reservations", wanted.name)
    try:
        found = google.get("compute", f"compute/v1/{address}")
    except Refused as error:
        if not error.is_missing:
            raise
        yield Finding(place, "reservation", "lacks", f"there is no {title}", listing)
        return
    need = sum(each.most for each in users)
    unshared = project != wanted.project and not _is_shared(found.get("shareSettings", {}), project)
    wrong = f"is not shared with {project}" if unshared else ""
    if wrong := wrong or _wrong(found, {each.machine_type for each in users}, need):
        yield Finding(place, "reservation", "lacks", f"{title} {wrong}", listing)
    else:
        yield Finding(place, "reservation", "ok", f"{title} has room for {need} more machines")


def _is_shared(settings: dict[str, Any], project: str) -> bool:
    """Whether another project may use a reservation; also if it names projects by their numbers only."""
    sort = str(settings.get("shareType", "LOCAL"))
    named = {*settings.get("projects", ()), *settings.get("projectMap", ())}
    if sort != "SPECIFIC_PROJECTS":
        return sort != "LOCAL"
    return project in named or any(each.isdigit() for each in named)


def _wrong(found: dict[str, Any], types: set[str], need: int) -> str:
    """The problem of a reservation for so many machines, or nothing."""
    if found.get("status") != "READY":
        return f"is not ready: {found.get('status', 'unknown')}"
    if found.get("specificReservationRequired") is False:
        return (
            "is consumed automatically and cannot be named: recreate it with --require-specific-reservation, "
            "or use capacity on_demand, which takes from it by itself"
        )
    held = found.get("specificReservation", {})
    type_ = str(held.get("instanceProperties", {}).get("machineType", ""))
    if type_ and type_ not in types:
        return f"is of {type_}, not of {', '.join(sorted(types))}"
    count, used = int(held.get("count", 0)), int(held.get("inUseCount", 0))
    if type_ and count - used < need:
        return f"has {count - used} of {count} machines left, and {need} are needed"
    return ""
