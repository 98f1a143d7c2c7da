"""Where a cluster and its nodes are, and the records that stand for them."""

from __future__ import annotations

import dataclasses
import re

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.google.links import find, name_of, plain
from clusterprint_simcloud.google.network import SUBNETWORK

CLUSTER = "google_container_cluster"
POOL = "google_container_node_pool"
_ZONE = re.compile(r"(?P<region>[a-z]+-[a-z]+\d+)-[a-z0-9]+")
# Documentation "Regions and zones": most regions have zones a, b and c.
_OTHER_ZONES = {"us-east1": "bcd", "europe-west1": "bcd"}


def region_of(location: str) -> str:
    """The region of a region or a zone."""
    match = _ZONE.fullmatch(location)
    return match["region"] if match else location


def is_zone(location: str) -> bool:
    """Whether a location is a zone."""
    return _ZONE.fullmatch(location) is not None


def zones_of_cluster(state: State) -> list[str]:
    """The zones that a cluster's nodes are in unless their pool says otherwise."""
    location = str(state.get("location") or "")
    named = [name_of(one) for one in state.get("node_locations") or []]
    if is_zone(location):
        return sorted({location, *named})
    return sorted(named) or [f"{location}-{letter}" for letter in _OTHER_ZONES.get(location, "abc")]


def zones_of_pool(cluster: Record, state: State) -> list[str]:
    """The zones of a pool's nodes."""
    named = [name_of(one) for one in state.get("node_locations") or []]
    return sorted(named) or zones_of_cluster(cluster.state)


def subnetwork_of(request: Request) -> Record | None:
    """The subnetwork that a cluster names."""
    return find(request, request.text("subnetwork"), SUBNETWORK) if request.text("subnetwork") else None


def find_cluster(request: Request, value: str) -> Record | None:
    """The cluster that a pool names: by id, or by name in its own location."""
    path = plain(value)
    if "/" not in path:
        path = f"projects/{request.text('project')}/locations/{request.text('location')}/clusters/{path}"
    return request.contents.get(CLUSTER, path.removeprefix("container.googleapis.com/"))


def cluster_of(request: Request) -> Record:
    """The cluster of a pool, which is there: references have been resolved."""
    found = find_cluster(request, request.text("cluster"))
    assert found is not None  # noqa: S101
    return found


def beside(request: Request) -> Request:
    """The request of a pool as if made where its cluster is: there, names without a place mean something."""
    cluster = cluster_of(request).state
    place = {name: cluster.get(name) for name in ("location", "project")}
    return dataclasses.replace(request, state={**request.state, **place})


def pools_of(contents: Contents, cluster: Record) -> list[Record]:
    """All pools of a cluster."""
    return [one for one in contents.of(POOL) if one.owner == cluster.key]
