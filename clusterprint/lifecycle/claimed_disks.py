"""Disks that claims of pods have made: a driver in the cluster makes them, no state has them, they stay.

GKE's driver labels each with its cluster (with cost allocation on, as our clusters have it), and describes it
with its claim, in JSON.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.foreign import Foreign, listed, remove
from clusterprint.lifecycle.inventory import Inventory
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.state_input import taken

_OF_CLAIM = "goog-gke-volume"  # disks of nodes are labelled with their cluster, too
_CLUSTER, _LOCATION = "goog-k8s-cluster-name", "goog-k8s-cluster-location"
_CLAIM = ("kubernetes.io/created-for/pvc/namespace", "kubernetes.io/created-for/pvc/name")


class Cluster(NamedTuple):
    """A cluster of GKE in a state."""

    project: str
    name: str
    location: str


def clusters_in(inventory: Inventory) -> list[Cluster]:
    """The clusters that a state has."""
    return [
        Cluster(*(taken(each, key) for key in Cluster._fields))
        for resource in inventory.resources
        if resource.type == "google_container_cluster"
        for each in resource.instances
    ]


def let_go(gone: Sequence[Cluster], session: Session, agrees: Callable[[Sequence[Foreign]], bool]) -> None:
    """Remove the disks of clusters that are gone, if somebody agrees; name those that are left."""
    if not gone:
        return
    display, environment = session.display, session.world.environment
    try:
        found = disks_of(gone, environment)
    except EnvironmentFailure as failed:
        display.line(f"whether claims of pods have left disks, which cost money, is not known: {failed}")
        return
    removes = bool(found) and agrees(found)
    for each in found:
        command = shlex.join(("gcloud", *each.words))
        if not removes:
            display.line(f"left, with its data: {each.what} {each.name}: {command}")
            continue
        try:
            display.line(f"removing {each.what}: {each.name}")
            remove(each, environment)
        except EnvironmentFailure as failed:
            display.line(f"left, with its data: {failed}: {command}")


def disks_of(clusters: Sequence[Cluster], environment: Mapping[str, str]) -> list[Foreign]:
    """The disks that claims in these clusters have made. Raises EnvironmentFailure if gcloud cannot say."""
    return [each for cluster in clusters for each in _of(cluster, environment)]


def _of(cluster: Cluster, environment: Mapping[str, str]) -> Iterator[Foreign]:
    project = f"--project={cluster.project}"
    wanted = f"--filter=labels.{_CLUSTER}={cluster.name}"
    for entry in listed(("compute", "disks", "list", project, wanted, "--format=json"), environment):
        labels = entry.get("labels") or {}
        if _OF_CLAIM not in labels or labels.get(_LOCATION) != cluster.location:
            continue
        name = str(entry.get("name", ""))
        words = ("compute", "disks", "delete", name, project, *_place(entry), "--quiet")
        where, number = f"cluster {cluster.name}", str(entry.get("id", ""))
        yield Foreign(where, f"disk{_claim(entry)}", name, words, number)


def _place(entry: Mapping[str, Any]) -> Iterator[str]:
    """A disk is in a zone, or in two of a region."""
    for key in ("zone", "region"):
        if place := str(entry.get(key, "")).rpartition("/")[2]:
            yield f"--{key}={place}"


def _claim(entry: Mapping[str, Any]) -> str:
    """Of which claim it is, in words; empty where its description does not say."""
    try:
        described = json.loads(entry.get("description") or "{}")
    except (TypeError, ValueError):
        return ""
    found = [str(described.get(key, "")) for key in _CLAIM] if isinstance(described, dict) else [""]
    return f" of claim {'/'.join(found)}" if all(found) else ""
