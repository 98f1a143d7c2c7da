"""Whole lives of clusters with one of each protected volume: what stays, what goes, and by which words."""

from pathlib import Path

import pytest
from lives import Life

from clusterprint.exit_codes import Code
from clusterprint_simcloud.cloud.contents import Record

pytestmark = [pytest.mark.slow, pytest.mark.terraform]

HEAD = """\
clusterprint: v1
kind: KIND
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
"""
VM = (
    HEAD.replace("KIND", "vm")
    + """\
nodes: {machine_type: c3-standard-22, count: 1}
storage:
  may_lose: [own]
  disk_pools: [{name: fast, size_gb: 10240, throughput_mbps: 1024, iops: 10000}]
  volumes:
    - {name: home, kind: filestore, mount: /home}
    - {name: scratch, kind: lustre, mount: /scratch}
    - {name: eda, kind: netapp, mount: /eda, size_gb: 2048}
    - {name: ckpt, kind: bucket, mount: /ckpt, name_suffix: random}
    - {name: weights, kind: disk, mount: /weights, access: read_only, snapshot: llama-weights, size_gb: 500}
    - {name: own, kind: disk, mount: /own, size_gb: 200, pool: fast, deletion_protection: false}
"""
)
GKE = (
    HEAD.replace("KIND", "gke")
    + """\
node_pools: [{name: cpu, machine_type: c3-standard-22, count: 1, boot_disk: {pool: fast}}]
storage:
  disk_pools: [{name: fast, size_gb: 10240, throughput_mbps: 1024, iops: 10000}]
  volumes:
    - {name: home, kind: filestore, mount: /home}
    - {name: scratch, kind: lustre, mount: /scratch}
    - {name: quick, kind: parallelstore, mount: /quick}
    - {name: eda, kind: netapp, mount: /eda, size_gb: 2048}
    - {name: ckpt, kind: bucket, mount: /ckpt, name_suffix: random}
    - {name: weights, kind: disk, mount: /weights, access: read_only, snapshot: llama-weights, size_gb: 500}
workloads:
  jobset: {}
  jobsets:
    - name: train
      image: busybox:1
      command: [sleep]
      node_pool: cpu
      mounts:
        [{volume: home}, {volume: scratch}, {volume: quick}, {volume: eda}, {volume: ckpt}, {volume: weights}]
"""
)
HOME = "kind: filestore, mount: /home}"
# What nobody may lose: by type, as the simulated cloud has it.
HOLDING = {
    "google_compute_disk",
    "google_compute_storage_pool",
    "google_filestore_instance",
    "google_lustre_instance",
    "google_netapp_storage_pool",
    "google_netapp_volume",
    "google_storage_bucket",
}


def lost_by_two_words(text: str) -> str:
    """The same blueprint, of which Filestore's data may be lost."""
    said = text.replace(HOME, HOME.replace("}", ", deletion_protection: false}"))
    if "may_lose: [" in said:
        return said.replace("may_lose: [", "may_lose: [home, ")
    return said.replace("storage:\n", "storage:\n  may_lose: [home]\n")


def holding(life: Life) -> dict[str, Record]:
    """The resources with data, by type and id; disks of nodes hold none."""
    return {one.key: one for one in life.made() if one.type in HOLDING | {"google_parallelstore_instance"}}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [(VM, HOLDING), (GKE, HOLDING | {"google_parallelstore_instance"})],
    ids=["vm", "gke"],
)
def test_data_outlives_its_cluster_until_it_is_to_go(
    text: str, kinds: set[str], life: Life, tmp_path: Path
) -> None:
    blueprint = tmp_path / "life.yaml"
    blueprint.write_text(text)
    life.run("up", blueprint, "--yes")
    data = holding(life)
    assert {one.type for one in data.values()} == kinds

    said = life.run("down", blueprint, "--yes")
    assert said.count("kept (--include-data destroys it): ") == len(kinds)
    assert "life-fast, the capacity for its disks" in said
    assert holding(life).keys() == data.keys()
    assert not {one.type for one in life.made()} & {
        "google_compute_instance",
        "google_container_cluster",
        "google_compute_subnetwork",
    }

    life.run("up", blueprint, "--yes")
    assert holding(life).keys() == data.keys()
    standing = {one.key for one in life.made()}
    said = life.run("down", blueprint, "--yes", "--include-data", expect=Code.FAILED)
    assert "is protected in the cloud itself: say deletion_protection: false" in said
    assert "and its name in storage.may_lose, and run clusterprint up; or run gcloud filestore" in said
    assert {one.key for one in life.made()} == standing, "nothing is destroyed before all of it can be"

    blueprint.write_text(lost_by_two_words(text))
    life.run("up", blueprint, "--yes")
    said = life.run("down", blueprint, "--yes", "--include-data")
    for protection in (
        "deletion_policy of google_compute_disk.",
        "deletion_protection of google_compute_storage_pool.",
        "deletion_policy of google_lustre_instance.",
        "deletion_policy of google_netapp_volume.",
        "deletion_policy of google_storage_bucket.",
    ):
        assert protection in said
    assert "deletion_policy of google_filestore_instance." not in said, "two words have removed it"
    assert life.made() == []


FILESTORE = (
    HEAD.replace("KIND", "vm")
    + """\
nodes: {machine_type: c3-standard-22, count: 1}
storage:
  volumes:
    - {name: home, kind: filestore, mount: /home}
"""
)


def test_what_the_cloud_keeps_goes_once_somebody_has_ended_that_in_the_cloud(
    life: Life, tmp_path: Path
) -> None:
    blueprint = tmp_path / "life.yaml"
    blueprint.write_text(FILESTORE)
    life.run("up", blueprint, "--yes")
    life.run("down", blueprint, "--yes", "--include-data", expect=Code.FAILED)
    with life.cloud.open() as contents:
        (instance,) = contents.of("google_filestore_instance")
        instance.state["deletion_protection_enabled"] = False  # as the gcloud command that it names does
    assert "the state is empty" in life.run("down", blueprint, "--yes", "--include-data")
    assert life.made() == []


def test_a_protected_volume_is_replaced_and_removed_after_two_words_and_not_before(
    life: Life, tmp_path: Path
) -> None:
    blueprint = tmp_path / "life.yaml"

    def up(text: str, expect: int = Code.DONE) -> str:
        blueprint.write_text(text)
        return life.run("up", blueprint, "--yes", expect=expect)

    def regional(text: str) -> str:
        return text.replace("mount: /home", "mount: /home, tier: regional")

    words = "say deletion_protection: false in its entry of the blueprint, and its name in storage.may_lose"
    up(FILESTORE)
    (before,) = holding(life)
    assert words in up(regional(FILESTORE), Code.FAILED)
    # Both at once are no way either: what protects it is in the state, and in the cloud.
    for too_early in (regional(lost_by_two_words(FILESTORE)), FILESTORE.partition("storage:")[0]):
        said = up(too_early, Code.FAILED)
        assert "protected, so nothing was applied" in said
        assert words in said
        assert holding(life).keys() == {before}
    up(lost_by_two_words(FILESTORE))
    up(regional(lost_by_two_words(FILESTORE)))
    (after,) = holding(life)
    assert after != before
    up(FILESTORE.partition("storage:")[0])
    assert holding(life) == {}
