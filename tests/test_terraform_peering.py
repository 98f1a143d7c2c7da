"""File systems come to a network that images are built in, and leave it: real Terraform, simulated cloud."""

from pathlib import Path

import pytest
from running import Running
from support import Change

pytestmark = pytest.mark.terraform

BUILDS = """\
clusterprint: v1
kind: ray
name: peered
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
cluster: {authorized_networks: [{name: office, cidr: 203.0.113.0/24}]}
node_pools: [{name: cpu, machine_type: c3-standard-8, autoscaling: {max: 4}}]
registry: {docker: true}
image_build: {}
ray: {workers: [{name: cpu, pool: cpu, max: 4}]}
"""
VOLUMES = """\
storage:
  may_lose: [home]
  volumes: [{name: home, kind: filestore, size_gb: 1024, deletion_protection: false}]
"""
SHARED = "google_service_networking_connection.volumes_services_peering"
ALONE = "google_service_networking_connection.builds_peering"


def test_file_systems_share_the_peering_that_is_there(change: Change) -> None:
    changes = change(BUILDS, BUILDS + VOLUMES, "peered-cluster")
    assert changes[SHARED] == "update"
    assert ALONE not in changes
    assert changes["google_filestore_instance.volumes_filestore-home"] == "create"


def test_the_peering_stays_with_the_builds_when_file_systems_leave(change: Change) -> None:
    changes = change(BUILDS + VOLUMES, BUILDS, "peered-cluster")
    assert changes[ALONE] == "update"
    assert SHARED not in changes


LUSTRE = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-1g, count: 1}
storage:
  volumes: [{name: scratch, kind: lustre, mount: /scratch}]
"""


def test_another_range_under_a_file_system_changes_nothing(running: Running, tmp_path: Path) -> None:
    running.deploy(tmp_path, LUSTRE, ["life"])
    before = running.world.resources()
    (stack,) = running.synthesize(
        tmp_path, LUSTRE.replace("storage:", "storage:\n  private_services: {cidr: 10.101.0.0/20}"), ["life"]
    )
    refused = running.world.apply(stack, check=False)
    assert refused.returncode == 1
    assert "google_compute_global_address.volumes_services_range" in refused.stderr
    assert running.world.resources() == before, "also the firewall, which lets the servers in"
