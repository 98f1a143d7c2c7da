"""Managed Lustres that are filled from buckets, from their making to their end, by real Terraform."""

from pathlib import Path

import pytest
from lives import Life
from support import Change, Run

from clusterprint_simcloud import World
from clusterprint_simcloud.cloud.contents import Record

pytestmark = pytest.mark.terraform

OPERATION = "google_lustre_operation"
IMPORT = "terraform_data.volumes_imports_scratch"
VM = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-1g, count: 1}
storage:
  may_lose: [scratch]
  volumes:
    - name: scratch
      kind: lustre
      mount: /scratch
      deletion_protection: false
      size_gb: 36000
      import_from: {bucket: my-datasets, path: /a/}
"""
# With buckets that a test can count on: what others have is not in its cloud.
OWN = VM.replace("[scratch]", "[scratch, datasets, sets]").replace(
    "  volumes:\n",
    "  volumes:\n"
    "    - {name: datasets, kind: bucket, bucket: my-datasets, deletion_protection: false}\n"
    "    - {name: sets, kind: bucket, bucket: my-sets, deletion_protection: false}\n",
)
GKE = """\
clusterprint: v1
kind: gke
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 1}]
storage:
  may_lose: [scratch, sets]
  volumes:
    - {name: sets, kind: bucket, deletion_protection: false}
    - {name: scratch, kind: lustre, deletion_protection: false, import_from: {bucket: life-sets}}
"""
RAY = """\
clusterprint: v1
kind: ray
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: cpu, machine_type: c3-standard-22, autoscaling: {max: 4}}]
storage:
  may_lose: [scratch, fast]
  volumes:
    - {name: scratch, kind: lustre, deletion_protection: false, import_from: {bucket: my-datasets, path: /a/}}
    - {name: fast, kind: parallelstore, deletion_protection: false}
ray:
  workers:
    - name: cpu
      pool: cpu
      max: 4
      mounts: [{volume: scratch, path: /scratch, access: read_only}, {volume: fast, path: /fast}]
  jobs: [{name: train, entrypoint: python train.py, mounts: [{volume: scratch, path: /more}]}]
"""


def imports(records: list[Record]) -> list[str]:
    """The imports, oldest first; each without an error."""
    found = [one.state for one in records if one.type == OPERATION]
    assert not any(one["error"] for one in found)
    return [one["source"] for one in found]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "source"),
    [(VM, "my-datasets/a/"), (GKE, "life-sets/"), (RAY, "my-datasets/a/")],
    ids=["vm", "gke", "ray"],
)
def test_it_is_filled_once_and_goes(text: str, source: str, life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "life.yaml"
    blueprint.write_text(text)
    said = life.run("up", blueprint, "--yes")
    assert imports(life.made()) == [f"gs://{source}"]
    assert (
        f"] importing gs://{source} into life-scratch; this goes on whatever happens here, see: gcloud"
        in said
    )
    assert f"] life-scratch is filled from gs://{source}" in said
    life.run("up", blueprint, "--yes")
    assert imports(life.made()) == [f"gs://{source}"]
    life.run("down", blueprint, "--yes", "--include-data")
    assert life.made() == []


def test_nodes_wait_for_an_import_that_fails(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "life.yaml").write_text(OWN)
    done = clusterprint("synth", tmp_path / "life.yaml", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    stack = tmp_path / "out" / "stacks" / "life"
    with World("my-terraform-state") as world:
        tool = world.folder / "tools" / "gcloud"
        works = tool.read_text()
        tool.write_text(
            '#!/bin/sh\n[ "$3" != instances ] || { echo "ERROR: NOT_FOUND: no bucket" >&2; exit 1; }\n'
        )
        failed = world.apply(stack, check=False)
        said = " ".join((failed.stdout + failed.stderr).replace("│", " ").split())
        assert failed.returncode == 1
        assert "life-scratch cannot be filled from gs://my-datasets/a/: ERROR: NOT_FOUND: no bucket" in said
        assert world.resources("google_lustre_instance")
        assert not world.resources("google_compute_instance")

        tool.write_text(works)
        again = world.apply(stack)
        assert "life-scratch is filled from gs://my-datasets/a/" in again.stdout
        assert world.resources("google_compute_instance")
        assert world.changes(stack) == {}


def test_another_source_is_imported_as_well(change: Change) -> None:
    assert change(OWN, OWN.replace("/a/", "/b/")) == {IMPORT: "replace"}
    reader = "google_storage_bucket_iam_member.volumes_imports_reader"
    assert change(OWN, OWN.replace("{bucket: my-datasets", "{bucket: my-sets")) == {
        f"{reader}-my-datasets": "delete",
        f"{reader}-my-sets": "create",
        IMPORT: "replace",
    }


def test_a_larger_one_is_left_alone(change: Change) -> None:
    larger = change(OWN, OWN.replace("36000", "72000"))
    assert larger == {"google_lustre_instance.volumes_lustre-scratch": "update"}


def test_another_instance_is_filled_anew(change: Change) -> None:
    faster = GKE.replace("kind: lustre,", "kind: lustre, size_gb: 9000, throughput_mbps_per_tib: 1000,")
    replaced = change(GKE, faster, "life-cluster")
    assert replaced == {"google_lustre_instance.volumes_lustre-scratch": "replace", IMPORT: "replace"}


def test_what_was_empty_can_be_filled(change: Change) -> None:
    empty = OWN.replace("      import_from: {bucket: my-datasets, path: /a/}\n", "")
    added = change(empty, OWN)
    assert {address: what for address, what in added.items() if "imports" in address} == added
    assert set(added.values()) == {"create"}
