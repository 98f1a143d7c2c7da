"""Pools that workers of MPI jobs run on keep everything else away."""

import msgspec
import pytest

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.resolve.gke.cluster import resolve_cluster
from clusterprint.resolve.gke.workloads import resolve_needs

POOLS = [
    {"name": "a", "machine_type": "n2-standard-4", "count": 3},
    {"name": "b", "machine_type": "n2-standard-4", "count": 3},
    {"name": "gpus", "machine_type": "g2-standard-8", "count": 3},
]


@pytest.mark.parametrize(
    ("node_pool", "kept"), [({}, "a"), ({"node_pool": "b"}, "b"), ({"node_pool": "gpus"}, ""), (None, "")]
)
def test_nodes_of_workers_are_kept_for_them(node_pool: dict[str, str] | None, kept: str) -> None:
    """On a real scheduler the operator landed on a worker. GPUs have a taint of their own."""
    job = {"name": "j", "image": "i:v1", "workers": 1, "command": ["x"], **(node_pool or {})}
    blueprint = msgspec.convert(
        {
            "clusterprint": "v1",
            "kind": "gke",
            "name": "c",
            "project": "my-project",
            "region": "us-central1",
            "zone": "us-central1-a",
            "backend": {"gcs": {"bucket": "my-state"}},
            "node_pools": POOLS,
            "workloads": {} if node_pool is None else {"mpi": {"jobs": [job]}},
        },
        GkeBlueprint,
    )
    pools = resolve_cluster(blueprint, resolve_needs(blueprint)).pools
    found = {pool.key: [each.key for each in pool.node.taints] for pool in pools}
    assert [key for key, taints in found.items() if "clusterprint/mpi-workers" in taints] == [kept] * bool(
        kept
    )
    assert found["gpus"] == ["nvidia.com/gpu"]
