"""Disks that claims of pods have made: a driver in the cluster makes them, no state has them, they stay.

GKE's driver labels each with its cluster (with cost allocation on, as our clusters have it), and describes it
with its claim, in JSON.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clusterprint.lifecycle.foreign import Foreign, listed
from clusterprint.lifecycle.inventory import Inventory

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
        Cluster(*(str(each.get(key, "")) for key in Cluster._fields))
        for resource in inventory.resources
        if resource.type == "google_container_cluster"
        for each in resource.instances
    ]


def find_claimed(clusters: Sequence[Cluster], environment: Mapping[str, str]) -> list[Foreign]:
    """The disks of claims in these clusters. Raises EnvironmentFailure if gcloud cannot say."""
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
        yield Foreign(f"cluster {cluster.name}", f"disk{_claim(entry)}", name, words)


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
