"""Workloads of an existing cluster: real Terraform, simulated cloud."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import Run

from clusterprint_simcloud import World
from clusterprint_simcloud.cloud.contents import key

pytestmark = pytest.mark.terraform

GUEST = """\
clusterprint: v1
kind: ray
name: guest
project: my-gpu-project
region: us-central1
backend: {gcs: {bucket: my-terraform-state}}
cluster: {version: "1.33.5", existing: {name: platform, location: us-central1}}
storage: {volumes: [{name: data, kind: bucket, bucket: my-data, create: false, mount: /data}]}
ray: {workers: [{name: w, max: 2, cpus: 4, memory_gb: 16}]}
"""
PLATFORM = "projects/my-gpu-project/locations/us-central1/clusters/platform"


def set_version(state: dict[str, Any]) -> None:
    state["master_version"] = "1.33.4-gke.1350000"


def switch_ray_off(state: dict[str, Any]) -> None:
    state["addons_config"][0]["ray_operator_config"] = [{"enabled": False}]


def take_identities(state: dict[str, Any]) -> None:
    state["workload_identity_config"] = []


@pytest.mark.slow
def test_a_plan_says_what_the_cluster_lacks(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "guest.yaml").write_text(GUEST)
    assert clusterprint("synth", tmp_path / "guest.yaml", "--out", tmp_path / "out").returncode == 0
    added, inside = (tmp_path / "out" / "stacks" / name for name in ("guest-cluster", "guest-ray"))
    with World("my-terraform-state") as world:
        world.assume(added, inside)

        def lacking(change: Callable[[dict[str, Any]], None]) -> str:
            before = world.moment()
            with world.cloud.open() as contents:
                change(contents.records[key("google_container_cluster", PLATFORM)].state)
            done = world.terraform(inside, "plan", check=False)
            world.return_to(before)
            assert done.returncode == 1, done.stdout
            return " ".join(done.stderr.replace("│", " ").split())

        assert "cluster platform is older than cluster.version wants (1.33.5)" in lacking(set_version)
        assert "Cluster platform has no Ray add-on, which this blueprint needs" in lacking(switch_ray_off)
        assert "has no workload identity, by which its pods get rights" in lacking(take_identities)
        with world.cloud.open() as contents:
            there = contents.records.pop(key("google_container_cluster", PLATFORM))
        assert f"{PLATFORM} not found" in world.terraform(inside, "plan", check=False).stderr
        with world.cloud.open() as contents:
            contents.add(there)
        for stack in (added, inside):
            world.apply(stack)
            assert world.changes(stack) == {}
        assert not [one for one in world.resources() if one.type == "google_container_cluster"]
