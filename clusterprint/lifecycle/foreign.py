"""Resources of others in a network, which block its deletion: from controllers of a cluster, or people.

It is asked for with gcloud, for exactly the networks of a state, and told from what is in that state.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.gcloud import gcloud
from clusterprint.lifecycle.inventory import Inventory
from clusterprint.lifecycle.state_input import taken


class Network(NamedTuple):
    """A network in a state."""

    project: str
    name: str


class _Kind(NamedTuple):
    """A kind of thing in networks: gcloud's word for it, ours, its Terraform type, how its place is given."""

    command: str
    word: str
    type: str
    place: str


# In the order in which they can be deleted.
_KINDS = (
    _Kind("instances", "machine", "google_compute_instance", "zone"),
    # Left by a run that was killed between creating a template and saving its generated name.
    _Kind("instance-templates", "instance template", "google_compute_instance_template", ""),
    _Kind("forwarding-rules", "load balancer", "google_compute_forwarding_rule", "region"),
    _Kind(
        "network-endpoint-groups",
        "endpoints of a load balancer",
        "google_compute_network_endpoint_group",
        "zone",
    ),
    _Kind("firewall-rules", "firewall rule", "google_compute_firewall", ""),
    _Kind("routes", "route", "google_compute_route", ""),
    _Kind("routers", "router", "google_compute_router", "region"),
    _Kind("networks subnets", "subnet", "google_compute_subnetwork", "region"),
)
_PEERING = "networks peerings"


class Foreign(NamedTuple):
    """Something that is in no state: in what it lies, and the words for gcloud that remove it.

    `number` is what its cloud tells it by from others of its name, before and after it.
    """

    where: str
    what: str
    name: str
    words: tuple[str, ...]
    number: str = ""

    @property
    def mark(self) -> str:
        """The id of the resource."""
        return " ".join((*self.words, self.number)).rstrip()


def networks_in(inventory: Inventory) -> list[Network]:
    """The networks that a state has."""
    return [
        Network(taken(each, "project"), taken(each, "name"))
        for resource in inventory.resources
        if resource.type == "google_compute_network"
        for each in resource.instances
    ]


def known_in(inventory: Inventory) -> dict[str, frozenset[str]]:
    """The names of all that a state has, by Terraform type."""
    found: dict[str, frozenset[str]] = {}
    for each in inventory.resources:
        found[each.type] = found.get(each.type, frozenset()) | frozenset(each.names)
    return found


def find_foreign(
    networks: Sequence[Network], known: Mapping[str, frozenset[str]], environment: Mapping[str, str]
) -> list[Foreign]:
    """All that lies in these networks and is not `known` (names by Terraform type).

    Raises EnvironmentFailure if gcloud cannot say.
    """
    return [each for network in networks for each in _in(network, known, environment)]


def _in(
    network: Network, known: Mapping[str, frozenset[str]], environment: Mapping[str, str]
) -> Iterator[Foreign]:
    project = f"--project={network.project}"
    where = f"network {network.name} of project {network.project}"
    for kind in _KINDS:
        listing = ("compute", *kind.command.split(), "list", project, "--format=json")
        for entry in listed(listing, environment):
            name = str(entry.get("name", ""))
            if not _lies_in(entry, network) or name in known.get(kind.type, frozenset()):
                continue
            if kind.command == "routes" and not _is_made(entry):
                continue
            words = (
                "compute",
                *kind.command.split(),
                "delete",
                name,
                project,
                *_place(kind, entry),
                "--quiet",
            )
            yield Foreign(where, kind.word, name, words, str(entry.get("id", "")))
    described = listed(
        ("compute", "networks", "list", project, f"--filter=name={network.name}", "--format=json"),
        environment,
    )
    for peering in (
        each
        for entry in described
        if entry.get("name") == network.name
        for each in entry.get("peerings") or ()
    ):
        name = str(peering["name"])
        command = (
            "compute",
            *_PEERING.split(),
            "delete",
            name,
            f"--network={network.name}",
            project,
            "--quiet",
        )
        yield Foreign(where, "peering", name, command)


def remove(found: Foreign, environment: Mapping[str, str]) -> None:
    """Remove one thing. Raises EnvironmentFailure if that is refused."""
    gcloud(found.words, environment)


def _lies_in(entry: Mapping[str, Any], network: Network) -> bool:
    machine = entry.get("properties") or entry  # a template has those of its machines
    named = [entry.get("network"), *(each.get("network") for each in machine.get("networkInterfaces") or ())]
    end = f"projects/{network.project}/global/networks/{network.name}"
    return any(isinstance(each, str) and each.endswith(f"/{end}") for each in named)


def _is_made(route: Mapping[str, Any]) -> bool:
    """Whether somebody made a route; those of subnets and peerings, and the default one, go by themselves."""
    to_gateway = str(route.get("nextHopGateway", "")).endswith("default-internet-gateway")
    return not (route.get("nextHopNetwork") or route.get("nextHopPeering") or to_gateway)


def _place(kind: _Kind, entry: Mapping[str, Any]) -> tuple[str, ...]:
    place = str(entry.get(kind.place, "")).rpartition("/")[2] if kind.place else ""
    if place:
        return (f"--{kind.place}={place}",)
    return ("--global",) if kind.place == "region" else ()


def listed(words: Sequence[str], environment: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """The JSON of a `list` of gcloud. Raises EnvironmentFailure for any other output."""
    said = gcloud(words, environment)
    try:
        found = json.loads(said or "[]")
    except ValueError:
        raise EnvironmentFailure(f"gcloud {' '.join(words)} did not answer in JSON") from None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
