"""Reviews of the guards that keep data on Azure."""

import pytest
from review.conftest import Repository

VMSS = """\
clusterprint: v1
kind: vmss
name: dev
subscription: 00000000-0000-0000-0000-000000000000
location: eastus2
backend: {gcs: {bucket: my-terraform-state}}
nodes: {size: Standard_NC40ads_H100_v5, count: 1}
admin:
  ssh_public_key: {inline: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"}
network: {cidr: 10.22.0.0/24}
"""
STORAGE = """\
storage:
  volumes:
    - {name: sets, kind: azure_files, mount: /mnt/sets, size_gb: 200}
"""


@pytest.fixture
def stored(empty: Repository) -> Repository:
    """A repository with a cluster that has a volume."""
    empty.write("dev.yaml", VMSS + STORAGE)
    empty.commit()
    empty.commit("change")
    return empty


def test_a_volume_that_may_be_lost_is_said_by_its_guard(stored: Repository) -> None:
    stored.edit("dev.yaml", "size_gb: 200}", "size_gb: 200, deletion_protection: false}")
    stored.edit("dev.yaml", "storage:\n", "storage:\n  may_lose: [sets]\n")
    told = stored.run("--base", "main").stdout
    assert 'guard of volume sets: terraform_data.kept_data["share_sets"]' in told
    assert "input.may_be_lost: false -> true" in told


def test_a_volume_that_goes_is_lost_data_in_spite_of_its_guard(stored: Repository) -> None:
    stored.edit("dev.yaml", STORAGE, "")
    lost = [each for each in stored.review()["risks"] if "data_lost" in each["groups"]]
    assert {each["name"] for each in lost} == {"bucket_removed", "disk_removed"}
    assert "- guard of volume" in stored.run("--base", "main").stdout
