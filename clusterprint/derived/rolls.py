"""Generations of a rolled node pool: their names, and which one takes the place of which.

A generation is named after what only other nodes can have, so it has an address and a name of its own: the
next one is created beside it, and a blueprint names the same one whenever it is read.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from clusterprint.derived.node_pools import SLICES_LABEL
from clusterprint.plan.gke.pools import PoolPlan

POOL = "google_container_node_pool"
#: The length of what is added to the name of a pool.
ADDED = 7
#: The longest name that GKE has for a pool.
MOST = 40

_GENERATION = re.compile(r"-r[0-9a-f]{5}$")
# GKE changes these without another node.
_GENTLE = {"labels", "taints", "tags"}
_OF_POOL = ("max_pods", "interfaces", "placement", "network_profile", "gpudirect_strategy")


def generation(pool: PoolPlan) -> str:
    """The key of the pool that has exactly these nodes.

    A value that is its default does not count, so that a new field of plans is no other generation.
    """
    node = {
        each.name: value
        for each in msgspec.structs.fields(pool.node)
        if each.name not in _GENTLE and (value := getattr(pool.node, each.name)) != each.default
    }
    told = msgspec.to_builtins([node, [getattr(pool, each) for each in _OF_POOL]])
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    return f"{pool.key}-r{digest[:5]}"


def pool_of(name: str) -> str:
    """The name or address of a pool without its generation."""
    return _GENERATION.sub("", name)


def successors(gone: Mapping[str, Any], made: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The addresses of pools that go, each with that of the pool that takes its place.

    Both are arguments of pools by address. Only rolled pools have the label.
    """
    for new, values in made.items():
        for old, others in gone.items():
            rolled = new if new != pool_of(new) else old
            labels = _labels(values if rolled == new else others)
            if old != new and pool_of(old) == pool_of(new) and SLICES_LABEL in labels:
                yield old, new


def _labels(values: Any) -> Collection[str]:
    node = values.get("node_config") if isinstance(values, Mapping) else None
    node = node[0] if isinstance(node, list) and node else node
    labels = node.get("labels") if isinstance(node, Mapping) else None
    return labels if isinstance(labels, Mapping) else {}
