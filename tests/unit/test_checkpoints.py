"""Checkpoints in the memory of nodes: which nodes, who copies them, and what another setting changes."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.plan.gke.checkpoints import CheckpointsPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.resolve import resolve

SLICES = {"name": "slices", "machine_type": "ct6e-standard-4t", "tpu": {"topology": "4x4", "slices": 2}}
CPU = {"name": "cpu", "machine_type": "n2-standard-16", "count": 2}
CKPT = {"name": "ckpt", "kind": "bucket", "hierarchical_namespace": True}
COPIER = ("gke-managed-checkpointing", "gke-checkpointing-multitier-node")


def plans(*, cluster: Any = (), **said: Any) -> tuple[GkeClusterPlan, GkeWorkloadsPlan]:
    data = {
        "clusterprint": "v1",
        "kind": "gke",
        "name": "c",
        "project": "my-project",
        "region": "us-east5",
        "zone": "us-east5-b",
        "backend": {"gcs": {"bucket": "my-state"}},
        "cluster": dict(cluster),
        "node_pools": [SLICES, CPU],
        "storage": {"volumes": [CKPT]},
        "workloads": {"checkpoints": {"volume": "ckpt", "memory_gb": 64, **said}},
    }
    made, inside = resolve(msgspec.convert(data, GkeBlueprint), Path())
    assert isinstance(made, GkeClusterPlan)
    assert isinstance(inside, GkeWorkloadsPlan)
    return made, inside


def checkpoints(**said: Any) -> CheckpointsPlan:
    found = plans(**said)[1].checkpoints
    assert found
    return found


@pytest.mark.parametrize(
    ("named", "labelled"),
    [
        ([], {"slices-0", "slices-1"}),
        (["cpu"], {"cpu"}),
        (["slices", "cpu"], {"slices-0", "slices-1", "cpu"}),
    ],
)
def test_nodes_that_keep_them_have_a_label_of_their_own(named: list[str], labelled: set[str]) -> None:
    cluster, inside = plans(node_pools=named)
    assert inside.checkpoints
    nodes = inside.checkpoints.nodes
    assert {pool.key for pool in cluster.pools if nodes.items() <= pool.node.labels.items()} == labelled
    tolerated = {each.key for each in inside.checkpoints.tolerations}
    assert tolerated == ({"google.com/tpu"} if "slices-0" in labelled else set())


def test_other_settings_come_under_another_name() -> None:
    """GKE's controller reads them once."""
    names = [checkpoints().name, checkpoints(memory_gb=32).name, checkpoints(node_pools=["cpu"]).name]
    assert len(set(names)) == len(names)
    assert checkpoints().name == checkpoints().name


def test_who_copies_may_write_to_the_bucket_and_is_made_by_gke() -> None:
    cluster, inside = plans()
    rights = {(each.namespace, each.name): each for each in cluster.identities}
    assert [(each.bucket, each.role) for each in rights[COPIER].buckets] == [
        ("c-ckpt", "roles/storage.objectUser")
    ]
    assert COPIER not in {(each.namespace, each.name) for each in inside.service_accounts}
    assert COPIER[0] not in inside.namespaces


def test_the_add_on_comes_with_them_and_is_left_alone_without() -> None:
    cluster, _ = plans()
    assert cluster.control_plane
    assert cluster.control_plane.addons.multi_tier_checkpointing is True
    data: dict[str, Any] = {"node_pools": [CPU]}
    base = {"clusterprint": "v1", "kind": "gke", "name": "c", "project": "my-project", "region": "us-east5"}
    base |= {"zone": "us-east5-b"}
    backend = {"backend": {"gcs": {"bucket": "my-state"}}}
    for addons, expected in (({}, None), ({"multi_tier_checkpointing": False}, False)):
        blueprint = msgspec.convert({**base, **backend, **data, "cluster": {"addons": addons}}, GkeBlueprint)
        plan = resolve(blueprint, Path())[0]
        assert isinstance(plan, GkeClusterPlan)
        assert plan.control_plane
        assert plan.control_plane.addons.multi_tier_checkpointing is expected


def test_an_existing_cluster_has_to_have_the_add_on() -> None:
    existing = {"existing": {"name": "platform", "location": "us-east5"}}
    _, inside = plans(cluster=existing)
    assert inside.access.existing
    wanted = {each.attribute for each in inside.access.existing.requirements}
    assert "addons_config[0].high_scale_checkpointing_config[0].enabled" in wanted
    assert "workload_identity_config[0].workload_pool" in wanted
