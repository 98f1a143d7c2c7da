"""Pools of single hosts, and pools that an existing policy places."""

import pytest
from support import plans_of

from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan

HEAD = """\
clusterprint: v1
kind: gke
name: c
project: my-project
region: us-east4
zone: us-east4-b
backend: {gcs: {bucket: my-state}}
"""


def pool(text: str) -> PoolPlan:
    """The only pool."""
    (cluster,) = [
        each for each in plans_of(f"{HEAD}node_pools: [{text}]\n") if isinstance(each, GkeClusterPlan)
    ]
    (made,) = cluster.pools
    return made


@pytest.mark.parametrize(
    ("shape", "nodes"),
    [
        ("machine_type: ct5lp-hightpu-4t, tpu: {topology: 2x2}", 4),
        ("machine_type: ct6e-standard-8t, tpu: {topology: 2x4}", 3),
    ],
)
def test_several_single_hosts_are_one_pool(shape: str, nodes: int) -> None:
    made = pool(f"{{name: v, {shape}, count: {nodes}, capacity: {{model: spot}}}}")
    assert (made.nodes_per_zone, made.max_nodes, made.placement) == (nodes, nodes, None)
    assert made.node.tpu is not None
    assert made.node.tpu.hosts == 1


def test_an_existing_policy_places_the_nodes() -> None:
    made = pool(
        "{name: mega, machine_type: a3-megagpu-8g, count: 2, capacity: {model: reservation, reservation: r}, "
        "placement: {policy: compact, existing: my-policy}}"
    )
    assert made.placement is not None
    assert (made.placement.existing, made.placement.policy) == ("my-policy", "")
