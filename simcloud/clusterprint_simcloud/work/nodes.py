"""The nodes of a simulated cluster, as the API server lists them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.cloud.groups import started
from clusterprint_simcloud.google.gke import capacity
from clusterprint_simcloud.google.gke.places import pools_of, zones_of_pool


def nodes_of(contents: Contents, cluster: Record) -> Iterator[dict[str, Any]]:
    """The nodes that the pools of a cluster begin with; all are ready."""
    for pool in pools_of(contents, cluster):
        name = str(pool.state["name"])
        for zone in zones_of_pool(cluster, pool.state):
            for number in range(capacity.first_size(pool.state)):
                mark = hashlib.sha256(f"{pool.id}{zone}{number}".encode()).hexdigest()[:8]
                yield {
                    "apiVersion": "v1",
                    "kind": "Node",
                    "metadata": {
                        "name": f"gke-{cluster.state['name']}-{name}-{mark}",
                        "labels": {
                            "cloud.google.com/gke-nodepool": name,
                            "topology.kubernetes.io/zone": zone,
                        },
                        "creationTimestamp": started(contents).get(pool.id, ""),
                    },
                    "spec": {},
                    "status": {"conditions": [{"type": "Ready", "status": "True", "message": "simulated"}]},
                }
