"""Zones and capacity models for a pool, in the order in which they are tried."""

import re
from collections.abc import Mapping

from msgspec import Struct

from clusterprint_provisioner import settings as settings_
from clusterprint_provisioner.objects import Pod
from clusterprint_provisioner.settings import Settings
from clusterprint_provisioner.shapes import Refused

CAPACITY = "clusterprint/capacity"
ZONES = "clusterprint/zones"
SPOT = "cloud.google.com/gke-spot"
FLEX_START = "cloud.google.com/gke-flex-start"
RESERVATION = "cloud.google.com/reservation-name"
RESERVATION_PROJECT = "cloud.google.com/reservation-project"
_ZONE = "topology.kubernetes.io/zone"
_MODELS = ("on-demand", "spot", "flex-start")
_RESERVED = re.compile(
    r"reservation:((?:projects/[a-z][-a-z0-9:.]*/reservations/)?[a-z]([-a-z0-9]*[a-z0-9])?)"
)


class Offer(Struct, frozen=True):
    """One way to get nodes: a capacity model in a zone; `reservation` names which, by path."""

    model: str
    zone: str
    reservation: str = ""

    @property
    def shown(self) -> str:
        """As people call it."""
        return f"{f'reservation {self.reservation}' if self.reservation else self.model} in {self.zone}"


def offers_of(pod: Pod, said: Mapping[str, str], settings: Settings) -> tuple[Offer, ...]:
    """Offers to try for a job: each model in each zone, in the order of its annotations. Raises Refused."""
    models = [("on-demand", "")] if settings.force_on_demand else _models(pod, said.get(CAPACITY, ""))
    return tuple(
        Offer(model=model, zone=zone, reservation=reservation)
        for model, reservation in models
        for zone in _zones(pod, said.get(ZONES, ""), settings)
    )


def _models(pod: Pod, said: str) -> list[tuple[str, str]]:
    selected = _selected(pod)
    models = [_model(each) for each in dict.fromkeys(settings_.split(said))] or [
        selected or ("on-demand", "")
    ]
    if selected and any(each != selected for each in models):
        raise Refused(
            f"{CAPACITY} lists more than the pods select, which only fit {selected[1] or selected[0]} nodes: "
            "remove that selector"
        )
    # Such a pool waits for its nodes, for days if need be: nothing ever says that there are none.
    if any(model == "flex-start" for model, _ in models[:-1]):
        raise Refused(f"flex-start has no timeout: put it last in {CAPACITY}")
    return models


def _selected(pod: Pod) -> tuple[str, str] | None:
    """The machine shape that the selectors of the pods name."""
    selector = pod.spec.node_selector
    if name := selector.get(RESERVATION):
        project = selector.get(RESERVATION_PROJECT)
        return "reservation", f"projects/{project}/reservations/{name}" if project else name
    if selector.get(SPOT) == "true":
        return "spot", ""
    return ("flex-start", "") if selector.get(FLEX_START) == "true" else None


def _model(text: str) -> tuple[str, str]:
    if found := _RESERVED.fullmatch(text):
        return "reservation", found[1]
    if text not in _MODELS:
        raise Refused(f"{CAPACITY} contains {text!r}: use {', '.join(_MODELS)} or reservation:NAME")
    return text, ""


def _zones(pod: Pod, said: str, settings: Settings) -> tuple[str, ...]:
    try:
        zones = settings_.zones(said) or settings.zones
    except ValueError as error:
        raise Refused(f"{ZONES} {error}") from None
    selected = pod.spec.node_selector.get(_ZONE)
    if selected is None:
        return zones
    if said and selected not in zones:
        raise Refused(f"the pods select zone {selected}, which is not in {ZONES}")
    return (selected,)
